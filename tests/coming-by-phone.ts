import { getMine } from '../src/membership/contract.ts';
import { phoneCodeLogin, sendPhoneCode } from '../src/accounts/contract.ts';
import { expectOk } from '../src/protocol/call.ts';
import type { standInProviders } from './stand-in-providers.ts';
import type { TestApp } from './test-app.ts';
import { newPhone, openVisitor, type Visitor } from './visitor.ts';

/** People who come by a code to their phone. `appOf`: the app, once it is open. */
export function comingByPhone(appOf: () => TestApp, outside: ReturnType<typeof standInProviders>) {
  /** A code of a phone; moves on where the phone had one this minute. */
  async function codeFor(phone: string, browser: Visitor = openVisitor(appOf())): Promise<string> {
    const asked = await browser.call(sendPhoneCode, { phone });
    if (asked.code === 41) {
      appOf().clock.offsetMs += 61_000;
      expectOk(await openVisitor(appOf()).call(sendPhoneCode, { phone }));
    }
    return outside.codeTo(phone);
  }

  /** Somebody who has just come in by phone. */
  async function comeIn(phone = newPhone()): Promise<Visitor & { phone: string; id: number }> {
    const browser = openVisitor(appOf());
    expectOk(await browser.call(phoneCodeLogin, { phone, code: await codeFor(phone) }));
    const { uid } = expectOk(await browser.call(getMine, {}));
    return { ...browser, phone, id: uid };
  }

  return { codeFor, comeIn };
}
