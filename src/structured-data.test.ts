import { expect, it } from 'vitest';
import { documentList, factsText } from './structured-data.tsx';

it('names documents as they are, also where a name looks like markup, and lets no name end the script', () => {
  const name = '<em>520</em> 告白 & </script>';
  const text = factsText(documentList('https://x.test', [{ id: 9, name }]));
  expect(text).not.toMatch(/[<>&]/);
  expect(JSON.parse(text)).toMatchObject({
    numberOfItems: 1,
    itemListElement: [{ position: 1, name, url: 'https://x.test/detail/9' }],
  });
});
