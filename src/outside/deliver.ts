import { sweep, type World } from './world.ts';

/** The approved text of the notice to the phone that an account was bound to before, the same with both carriers. */
export const NOTICE = '您的账号已改绑尾号为 ${tail} 的手机号。如非本人操作，请立即联系客服。';

/**
 * Delivers a message to its phone. `template` is the approved text, with its one place for `value`. `code`: "" in a
 * notice.
 */
export function deliver(
  world: World,
  message: { carrier: 'aliyun' | 'tencent'; phone: string; code: string; value: string; template: string },
): void {
  const { signName } = world.accounts[message.carrier];
  world.messages.push({
    phone: message.phone.replace(/^\+?86/, ''),
    code: message.code,
    text: `【${signName}】${message.template.replace(/\$\{\w+\}/, message.value)}`,
    carrier: message.carrier,
    at: new Date().toISOString(),
  });
  sweep(world);
}

/** Returns the messages, newest first. */
export const messagesTo = (world: World, phone: string) =>
  world.messages.filter((message) => message.phone === phone).toReversed();
