/** A valid PDF of `pages` pages, each showing "<text> <number>" in Latin letters; different texts give different files. */
export function smallPdf(text: string, pages = 1): Buffer {
  const objects: string[] = ['<</Type/Catalog/Pages 2 0 R>>', ''];
  const kids: string[] = [];
  objects.push('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  for (let page = 1; page <= pages; page++) {
    const stream = `BT /F1 36 Tf 60 300 Td (${text} ${page}) Tj ET 0.78 0.21 0.12 rg 60 200 240 40 re f`;
    objects.push(`<</Length ${stream.length}>>\nstream\n${stream}\nendstream`);
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 720 405]/Resources<</Font<</F1 3 0 R>>>>/Contents ${objects.length} 0 R>>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`;
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
