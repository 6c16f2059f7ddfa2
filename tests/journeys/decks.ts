import { writeFile } from 'node:fs/promises';
import PptxGenJS from 'pptxgenjs';

/** Writes a PPTX of `slides` pages in Chinese, its title on each; different titles give different files. */
export async function writeDeck(path: string, title: string, slides: number): Promise<void> {
  const deck = new PptxGenJS();
  deck.layout = 'LAYOUT_16x9';
  for (let number = 1; number <= slides; number++) {
    const slide = deck.addSlide();
    slide.background = { color: number % 2 ? 'FAF8F4' : 'C8371F' };
    slide.addText(title, { x: 0.6, y: 0.8, w: 8.8, h: 1, fontSize: 32, bold: true, fontFace: '微软雅黑' });
    slide.addText(`第 ${number} 页 · 主题创意与执行`, { x: 0.6, y: 2.2, w: 8, h: 0.6, fontSize: 18, fontFace: '宋体' });
  }
  // Safe: 'nodebuffer' makes write() answer a Buffer.
  await writeFile(path, (await deck.write({ outputType: 'nodebuffer' })) as Buffer);
}
