import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { createIngestPool } from '../convert/converter-pool.ts';
import { findConverter } from '../convert/soffice.ts';
import { drawPrivateFile } from './draw-private-file.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const DAY = `<p:sp><p:nvSpPr><p:cNvPr id="40" name="Day"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="914400" y="3657600"/><a:ext cx="9144000" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:fld id="{B}" type="datetime1"><a:rPr lang="en-US" sz="3200"/><a:pPr/><a:t>1999-01-02</a:t></a:fld></a:p></p:txBody></p:sp>`;

test.skipIf(findConverter() === null)(
  'a date field of an upload shows the day of the file, and its pieces of work take turns',
  { timeout: 60_000 },
  async () => {
    const path = join(app.folder, 'upload');
    const bytes = deckOf({ slides: [{ title: 'Plan', more: DAY }] });
    await writeFile(path, bytes);
    const turns: string[] = [];
    const pool = createIngestPool(1);
    const attempt = { number: 1, isLast: false, signal: undefined };
    let text = '';
    await drawPrivateFile(
      app.ctx,
      { path, fileType: 'pptx', bytes: bytes.length, previewPages: 1, attempt, pool },
      async ({ pages }) => void (text = pages[0]?.text ?? ''),
      {
        onBegun: async () => void turns.push('begun'),
        onEnded: async () => void turns.push('ended'),
        onConverted: () => turns.push('converted'),
      },
    );
    pool.closeIdle();
    expect(text).toContain('1999-01-02');
    expect(turns.join(' ')).toBe('begun ended begun ended begun ended converted begun ended');
  },
);
