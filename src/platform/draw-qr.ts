import sharp from 'sharp';
import { encode } from 'uqr';

const QUIET_MODULES = 2;

/** Draws a QR code as PNG, at least `width` pixels wide: modules are whole pixels, so that every camera reads them. */
export async function drawQr(text: string, width: number): Promise<Buffer> {
  const { data, size } = encode(text, { border: QUIET_MODULES, ecc: 'M' });
  const pixels = Buffer.from(data.flat().map((isDark) => (isDark ? 0x1c : 0xff)));
  const scale = Math.ceil(width / size);
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * scale, size * scale, { kernel: 'nearest' })
    .png({ palette: true })
    .toBuffer();
}
