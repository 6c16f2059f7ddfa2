import { sweep, type World } from './world.ts';

/** A message reaches its phone. `template` is the approved text, with its one place for the code. */
export function deliver(
  world: World,
  message: { carrier: 'aliyun' | 'tencent'; phone: string; code: string; template: string },
): void {
  const { signName } = world.accounts[message.carrier];
  world.messages.push({
    phone: message.phone.replace(/^\+?86/, ''),
    code: message.code,
    text: `【${signName}】${message.template.replace('${code}', message.code)}`,
    carrier: message.carrier,
    at: new Date().toISOString(),
  });
  sweep(world);
}

/** Newest first. */
export const messagesTo = (world: World, phone: string) =>
  world.messages.filter((message) => message.phone === phone).toReversed();
