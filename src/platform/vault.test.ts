import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createVault, WrongKey } from './vault.ts';

const secret = randomBytes(32);
const vault = createVault(secret);

it('opens what it sealed, and seals the same text differently each time', () => {
  const first = vault.seal('phone', '13800001234');
  expect(vault.open('phone', first)).toBe('13800001234');
  expect(createVault(secret).open('phone', first)).toBe('13800001234');
  expect(vault.seal('phone', '13800001234').equals(first)).toBe(false);
  expect(first.includes('13800001234')).toBe(false);
  expect(first.subarray(0, 8).equals(vault.keyId)).toBe(true);
});

it('refuses another key, another purpose and every changed byte', () => {
  const sealed = vault.seal('phone', '13800001234');
  expect(() => createVault(randomBytes(32)).open('phone', sealed)).toThrow(WrongKey);
  expect(() => vault.open('mail', sealed)).toThrow();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => vault.open('phone', changed)).toThrow();
  }
});

it('indexes by text, purpose and key', () => {
  const index = vault.index('phone', '13800001234');
  expect(createVault(secret).index('phone', '13800001234').equals(index)).toBe(true);
  expect(vault.index('phone', '13800001235').equals(index)).toBe(false);
  expect(vault.index('mail', '13800001234').equals(index)).toBe(false);
  expect(createVault(randomBytes(32)).index('phone', '13800001234').equals(index)).toBe(false);
});
