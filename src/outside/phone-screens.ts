import { html } from 'hono/html';
import { PHONE_CSS, REFRESH_MESSAGES } from './phone-looks.ts';
import type { Message, Scene, World } from './world.ts';

/** The result of hono's `html`: markup in which all inserted text is escaped. */
export type Html = ReturnType<typeof html>;

const TIME_ZONE = 'Asia/Shanghai';
export const clock = (at: number) =>
  new Date(at).toLocaleTimeString('zh-CN', {
    timeZone: TIME_ZONE,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

export function screen(title: string, body: Html, isHome = false): Html {
  return html`<!doctype html>
    <html lang="zh-CN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${isHome ? title : `${title} · 模拟手机`}</title>
        <style>
          ${PHONE_CSS}
        </style>
      </head>
      <body>
        <div class="phone">
          <header>
            ${isHome ? '' : html`<a class="back" href="/phone" aria-label="返回手机首页">‹</a>`}
            <h1>${title}</h1>
          </header>
          <main>${body}</main>
          <footer>演示环境的模拟手机，不会连接真实的微信、支付宝或短信</footer>
        </div>
      </body>
    </html>`;
}

/** The home screen. `codes`: the parts of other apps on which codes are scanned. */
export function homeScreen(world: World, codes: Html[] = []): Html {
  const waiting = [...world.scenes.values()].filter(({ state }) => state === 'waiting' || state === 'scanned');
  const numbers = [...new Set(world.messages.map((message) => message.phone))].toReversed().slice(0, 5);
  return screen(
    '模拟手机',
    html`<section>
        <h2>扫一扫</h2>
        ${waiting.length === 0 ? html`<p class="hint">电脑上打开登录窗口后，二维码会出现在这里。</p>` : ''}
        <ul class="list">
          ${waiting
            .toReversed()
            .slice(0, 5)
            .map(
              (scene) =>
                html`<li>
                  <a href="/phone?scene=${encodeURIComponent(scene.scene)}">
                    <span>${kindName(scene)}</span><small>${clock(scene.createdAt)} 生成</small>
                  </a>
                </li>`,
            )}
        </ul>
      </section>
      ${codes}
      <section>
        <h2>短信</h2>
        <ul class="list">
          ${numbers.map(
            (number) =>
              html`<li>
                <a href="/phone?sms=${number}"><span>${number}</span><small>查看短信</small></a>
              </li>`,
          )}
        </ul>
        ${numberForm('')}
      </section>`,
    true,
  );
}

const kindName = (scene: Scene) => (scene.kind === 'mini' ? '小程序码 · 网页登录' : '公众号二维码 · 网页登录');

const numberForm = (number: string) =>
  html`<form class="row" method="get" action="/phone">
    <label class="grow"
      >手机号<input name="sms" value="${number}" inputmode="numeric" autocomplete="off" required
    /></label>
    <button class="plain">查看</button>
  </form>`;

/** The screens after scanning: choose the person, then the question of WeChat or the mini program. */
export function sceneScreen(world: World, scene: Scene | null, holder: string): Html {
  if (!scene || scene.expiresAt < Date.now()) {
    return screen('扫一扫', outcome('bad', '二维码已失效', '请回到电脑上刷新二维码，再打开这里。'));
  }
  if (scene.state === 'confirmed') {
    const words = scene.kind === 'mini' ? '请回到电脑上继续。' : scene.note;
    return screen(appName(scene), outcome('good', scene.kind === 'mini' ? '已确认' : '公众号', words));
  }
  if (scene.state === 'cancelled') {
    const [title, words] =
      scene.asks.purpose === 'prove' ? ['已取消验证', '电脑上的操作不会继续。'] : ['已取消登录', '电脑上不会登录。'];
    return screen(appName(scene), outcome('bad', title, words));
  }
  return scene.state === 'scanned' ? confirmScreen(scene) : chooseScreen(world, scene, holder);
}

/** The page that the mini program opens with. */
export const programScreen = () =>
  screen('小程序', outcome('good', '已打开小程序', '真实环境里，这里是小程序的首页。'));

const appName = (scene: Scene) => (scene.kind === 'mini' ? '小程序' : '公众号');

export const outcome = (tone: 'good' | 'bad', title: string, words: string) =>
  html`<section class="outcome ${tone}" role="status">
    <span class="mark" aria-hidden="true">${tone === 'good' ? '✓' : '!'}</span>
    <h2>${title}</h2>
    <p>${words}</p>
  </section>`;

const noteOf = (scene: Scene) => (scene.note ? html`<p class="note" role="alert">${scene.note}</p>` : '');

const chooseScreen = (world: World, scene: Scene, holder: string) =>
  screen(
    '扫一扫',
    html`<form method="post" action="/phone/scan">
      <input type="hidden" name="scene" value="${scene.scene}" />
      <p class="hint">${kindName(scene)}</p>
      ${noteOf(scene)} ${choosePerson(world, holder, '用哪个微信号扫码', '微信号')}
      <button class="main" autofocus>扫一扫</button>
    </form>`,
  );

/** The fields `person` and `newcomer` of a form: who holds the phone. `account`: what a person has with this app. */
export function choosePerson(world: World, holder: string, question: string, account: string): Html {
  const people = [...world.people.values()].slice(-8);
  const chosen = people.some(({ key }) => key === holder) ? holder : people[0]?.key;
  return html`<fieldset>
    <legend>${question}</legend>
    ${people.map(
      (person) =>
        html`<label class="choice">
          <input type="radio" name="person" value="${person.key}" ${person.key === chosen ? 'checked' : ''} />
          <span class="face" aria-hidden="true">${[...person.nickname][0] ?? ''}</span>${person.nickname}
        </label>`,
    )}
    <label class="newcomer">
      或用一个新的${account}（填昵称）<input name="newcomer" maxlength="20" autocomplete="off" placeholder="昵称" />
    </label>
  </fieldset>`;
}

/** The mini program's page: names the site of the login, so that nobody confirms another person's code unseen. */
function confirmScreen(scene: Scene): Html {
  const { site, purpose, place, browser, time } = scene.asks;
  const isProof = purpose === 'prove';
  const rows: [string, string][] = [
    ['微信号', scene.person?.nickname ?? ''],
    ['地点', typeof place === 'string' ? place : ''],
    ['浏览器', typeof browser === 'string' ? browser : ''],
    ['时间', typeof time === 'number' ? new Date(time * 1000).toLocaleString('zh-CN', { timeZone: TIME_ZONE }) : ''],
  ];
  return screen(
    '小程序',
    html`<form method="post" action="/phone/decide">
      <input type="hidden" name="scene" value="${scene.scene}" />
      <h2 class="ask">
        ${isProof ? '确认是您本人在操作' : '确认登录'}「${typeof site === 'string' ? site : ''}」${isProof ? '账号' : '网页版'}？
      </h2>
      <dl>
        ${rows
          .filter(([, value]) => value)
          .map(
            ([name, value]) =>
              html`<div>
                <dt>${name}</dt>
                <dd>${value}</dd>
              </div>`,
          )}
      </dl>
      <p class="hint">不是您本人操作？请点取消。</p>
      ${noteOf(scene)}
      <button class="main" name="step" value="confirm" autofocus>${isProof ? '确认是我' : '确认登录'}</button>
      <button class="plain wide" name="step" value="cancel">取消</button>
    </form>`,
  );
}

export function messagesScreen(number: string, messages: Message[]): Html {
  return screen(
    '短信',
    html`${numberForm(number)}
      <div id="messages" data-phone="${number}" aria-live="polite">${messageList(messages)}</div>
      ${number ? REFRESH_MESSAGES : ''}`,
  );
}

export function messageList(messages: Message[]): Html {
  if (messages.length === 0) return html`<p class="hint">还没有收到短信。收到后会自动出现在这里。</p>`;
  return html`<ol class="messages">
    ${messages.slice(0, 20).map(
      (message) =>
        html`<li>
          <small>${clock(Date.parse(message.at))}</small>
          <p>${message.text}</p>
          ${message.code ? html`<p>验证码 <strong class="code">${message.code}</strong></p>` : ''}
        </li>`,
    )}
  </ol>`;
}
