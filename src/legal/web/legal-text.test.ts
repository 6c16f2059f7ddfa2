import { expect, test } from 'vitest';
import { infringementText } from './infringement-text.ts';
import { privacyText } from './privacy-text.ts';
import { protocolText } from './protocol-text.ts';

const site = { name: '策库', companyName: '公司', companyPhone: '1', companyEmail: 'a@b', companyAddress: '地址' };

test.each([protocolText, privacyText, infringementText].map((text) => text(site)))(
  '$title is dated seven days before it takes effect, and says what held earlier',
  ({ updatedOn, effectiveOn, history }) => {
    const days = (Date.parse(effectiveOn) - Date.parse(updatedOn)) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(7);
    expect(history).not.toBe('');
  },
);
