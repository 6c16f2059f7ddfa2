import { encode } from 'uqr';
import sharp from 'sharp';

/** A QR code as PNG, black on white, about `size` pixels wide. */
export async function qrImage(text: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 3 });
  const pixels = Buffer.from(data.flatMap((row) => row.map((isDark) => (isDark ? 0 : 255))));
  const scale = Math.max(1, Math.floor(size / modules));
  const image = await sharp(pixels, { raw: { width: modules, height: modules, channels: 1 } })
    .resize(modules * scale, modules * scale, { kernel: 'nearest' })
    .png()
    .toBuffer();
  return new Uint8Array(image);
}
