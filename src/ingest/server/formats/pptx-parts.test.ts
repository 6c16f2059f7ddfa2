import { expect, test } from 'vitest';
import { relationshipId } from './pptx-parts.ts';

test.for([
  [' id="256" r:id="rId2"', 'rId2'],
  [" id='256' rel:id = 'rId2'", 'rId2'],
  [' id="256"', ''],
  // Within another's value it is none.
  [` id="256" name=" r:id='rId9'" r:id="rId2"`, 'rId2'],
])('the relationship of %s', ([attributes = '', id]) => expect(relationshipId(attributes)).toBe(id));

test('another relationship than the first kind is found by its name', () =>
  expect(relationshipId(' r:dm="rId3" r:lo="rId4"', 'dm')).toBe('rId3'));
