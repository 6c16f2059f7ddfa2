import { getMine } from '../src/membership/contract.ts';
import { phoneCodeLogin, sendPhoneCode } from '../src/accounts/contract.ts';
import { expectOk } from '../src/protocol/call.ts';
import type { standInProviders } from './stand-in-providers.ts';
import type { TestApp } from './test-app.ts';
import { newPhone, openVisitor, type Visitor } from './visitor.ts';

/** Returns helpers for people who log in by a code to their phone. */
export function comingByPhone(app: TestApp, outside: ReturnType<typeof standInProviders>) {
  /** Requests a code for a phone and returns it. Moves the clock on when the phone had a code this minute. */
  async function codeFor(phone: string, browser: Visitor = openVisitor(app)): Promise<string> {
    const asked = await browser.call(sendPhoneCode, { phone });
    if (asked.code === 41) {
      app.clock.offsetMs += 61_000;
      expectOk(await openVisitor(app).call(sendPhoneCode, { phone }));
    }
    return outside.codeTo(phone);
  }

  /** Registers the owner of a phone, or logs them in. */
  async function comeIn(phone = newPhone()): Promise<Visitor & { phone: string; id: number }> {
    const browser = openVisitor(app);
    expectOk(await browser.call(phoneCodeLogin, { phone, code: await codeFor(phone) }));
    const { uid } = expectOk(await browser.call(getMine, {}));
    return { ...browser, phone, id: uid };
  }

  /** Requests a code for the phone that the person has bound, for one purpose, and returns it. */
  async function codeOfOwn(
    person: Visitor & { phone: string },
    scene: 'rebind' | 'export' | 'cancel',
  ): Promise<string> {
    app.clock.offsetMs += 61_000;
    expectOk(await person.call(sendPhoneCode, { phone: '', scene }));
    return outside.codeTo(person.phone);
  }

  return { codeFor, codeOfOwn, comeIn };
}
