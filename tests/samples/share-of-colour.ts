/** For tests that look at pictures. */
import sharp from 'sharp';

/** Share of pixels that are about this colour. */
export async function shareOf(file: string, [r, g, b]: [number, number, number]): Promise<number> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let hits = 0;
  for (let at = 0; at < data.length; at += 3) {
    const near = (value: number, wanted: number) => Math.abs(value - wanted) < 40;
    if (near(data[at] ?? 0, r) && near(data[at + 1] ?? 0, g) && near(data[at + 2] ?? 0, b)) hits++;
  }
  return hits / (info.width * info.height);
}
