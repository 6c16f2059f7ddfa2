import { describe, expect, it } from 'vitest';
import { readZip, writeZip } from './zip.ts';

describe('zip', () => {
  it('gives back what was put in, and the same bytes each time', () => {
    const entries = [
      { name: 'a.xml', data: Buffer.from('<a>'.repeat(500)) },
      { name: '文件.txt', data: Buffer.from('stored as it is') },
    ];
    const zip = writeZip(entries);
    expect(readZip(zip)).toEqual(entries);
    expect(writeZip(readZip(zip)).equals(zip)).toBe(true);
  });

  it('refuses what is not a zip', () => {
    expect(() => readZip(Buffer.from('hello'))).toThrow('not a zip');
  });
});
