import { join } from 'node:path';
import { createResumableUploads, type ResumableUploads } from '../../../platform/files/resumable-uploads.ts';
import { UPLOAD_PATH, uploadLimits } from '../../rules-uploads.ts';

/** Returns where the files of members are received, in a folder of their own below the data folder (C-120). */
export const openUploads = (dataDir: string): ResumableUploads =>
  createResumableUploads({
    folder: join(dataDir, 'uploads'),
    path: UPLOAD_PATH,
    maxBytes: uploadLimits.fileBytes,
    expireMs: uploadLimits.unfinishedHours * 3_600_000,
  });
