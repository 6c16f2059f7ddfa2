import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../src/platform/db/client.ts';
import type { FileStore } from '../../src/platform/files/file-store.ts';

/** Everything of the catalogue that must be the same however often its making was cut off: no ids, keys or times. */
export async function readCatalogue(db: Db): Promise<string> {
  const rows = await rowsOf(
    db,
    sql`select d.name, d.state, f.sha256, f.state as file_state, f.file_type, f.page_count, f.preview_count, f.has_pdf,
      f.cover_width, f.cover_height, f.cover_color, f.outline, f.text_excerpt, f.flags, f.progress, f.has_strip, f.has_words,
      f.failure_code, (select count(*) from documents other where other.file_id = f.id) as documents,
      (select json_agg(json_build_array(p.page_number, p.width, p.height, p.has_image, p.image_name, p.large_width, p.text) order by p.page_number)
        from pages p where p.file_id = f.id) as pages,
      (select json_agg(json_build_array(s.step, s.state) order by s.step) from ingest_steps s where s.file_id = f.id) as steps
    from documents d join files f on f.id = d.file_id order by f.sha256, d.name`,
  );
  return JSON.stringify(rows, null, 1);
}

/** Lists faults of the stored files: originals whose bytes do not match their hash, rows whose files are missing. */
export async function checkFiles(db: Db, files: FileStore): Promise<string[]> {
  const problems: string[] = [];
  const rows = await rowsOf<{
    sha256: string;
    media_key: string;
    has_pdf: boolean;
    images: string[] | null;
    state: string;
  }>(
    db,
    sql`select f.sha256, f.media_key, f.has_pdf, f.state,
      (select json_agg(distinct p.image_name) from pages p
        where p.file_id = f.id and p.has_image and p.image_name <> '') as images from files f`,
  );
  for (const { sha256, media_key: mediaKey, has_pdf: hasPdf, images, state } of rows) {
    if ((await hashOf(files, `originals/${sha256}`)) !== sha256) problems.push(`original ${sha256} has other bytes`);
    if (state !== 'ready') continue;
    for (const image of images ?? []) {
      const hash = await hashOf(files, `media/${mediaKey}/${image}.webp`);
      if (!hash?.startsWith(image)) problems.push(`page image ${image} has other bytes`);
    }
    const others = ['cover.webp', 'strip.webp'].map((name) => `media/${mediaKey}/${name}`);
    for (const key of hasPdf ? [...others, `pdf/${sha256}.pdf`] : others)
      if (!(await files.stat(key))) problems.push(`${key} is missing`);
  }
  return problems;
}

async function hashOf(files: FileStore, key: string): Promise<string | null> {
  if (!(await files.stat(key))) return null;
  const hash = createHash('sha256');
  for await (const chunk of await files.read(key)) hash.update(chunk);
  return hash.digest('hex');
}
