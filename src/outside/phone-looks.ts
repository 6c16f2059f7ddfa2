import { raw } from 'hono/html';

/** The screen of a phone: full width on a small one, a phone's width in the middle of a large one. */
export const PHONE_CSS = raw(`
*{box-sizing:border-box}
body{margin:0;background:#e9ecef;color:#1b1f23;font:16px/1.6 "PingFang SC","Noto Sans CJK SC","Microsoft YaHei",sans-serif}
.phone{max-width:420px;min-height:100vh;margin:0 auto;background:#f7f7f7;display:flex;flex-direction:column}
@media(min-width:480px){.phone{min-height:760px;margin:24px auto;border:10px solid #1b1f23;border-radius:36px;overflow:hidden}}
header{display:flex;align-items:center;justify-content:center;position:relative;height:52px;background:#ededed;border-bottom:1px solid #d8d8d8}
h1{font-size:17px;margin:0}
.back{position:absolute;left:0;width:52px;height:52px;line-height:46px;text-align:center;font-size:32px;color:inherit;text-decoration:none}
main{flex:1;padding:16px}
footer{padding:12px 16px;font-size:12px;color:#6b7280;text-align:center}
section{margin-bottom:24px}
h2{font-size:16px;margin:0 0 8px}
.hint,small{color:#5f6670;font-size:14px}
.list{list-style:none;margin:0 0 12px;padding:0;background:#fff;border-radius:10px;overflow:hidden}
.list a{display:flex;justify-content:space-between;align-items:center;min-height:52px;padding:8px 14px;color:inherit;text-decoration:none;border-bottom:1px solid #eee}
.row{display:flex;gap:8px;align-items:end;margin-bottom:16px}
.grow{flex:1}
input:not([type=radio]):not([type=hidden]){display:block;width:100%;height:44px;margin-top:4px;padding:0 12px;font:inherit;border:1px solid #b8bec6;border-radius:8px;background:#fff}
fieldset{margin:0 0 20px;padding:12px 14px;border:0;border-radius:10px;background:#fff}
legend{float:left;width:100%;font-weight:600;margin-bottom:4px}
legend+*{clear:both}
.choice{display:flex;align-items:center;gap:10px;min-height:48px;border-bottom:1px solid #f0f0f0}
.choice input{width:18px;height:18px;accent-color:#07803f}
.face{width:34px;height:34px;border-radius:6px;background:#2f6fdb;color:#fff;display:grid;place-items:center}
.newcomer{display:block;margin-top:12px;font-size:14px;color:#5f6670}
button{height:48px;padding:0 20px;font:inherit;font-weight:600;border-radius:8px;border:0;cursor:pointer}
.main{width:100%;background:#07803f;color:#fff}
.plain{height:44px;background:#e3e5e8;color:#1b1f23}
.main.pay{background:#0b62d6}
.amount{margin:24px 0;text-align:center}
.amount span{display:block;color:#5f6670;font-size:14px}
.amount strong{font-size:36px;line-height:1.3}
.again{text-align:center}
.again a{color:#07803f}
.wide{width:100%;margin-top:12px;height:48px}
:focus-visible{outline:3px solid #2f6fdb;outline-offset:2px}
.ask{margin:16px 0;text-align:center;font-size:20px}
dl{margin:0 0 12px;padding:4px 14px;background:#fff;border-radius:10px}
dl div{display:flex;justify-content:space-between;gap:16px;padding:10px 0;border-bottom:1px solid #f0f0f0}
dl div:last-child{border:0}
dl+button{margin-top:12px}
.list small{margin-left:12px;white-space:nowrap}
dt{color:#5f6670;white-space:nowrap}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
.note{padding:10px 14px;border-radius:8px;background:#fdecea;color:#a11d12}
.outcome{text-align:center;padding-top:72px}
.outcome h2{font-size:20px}
.mark{display:inline-grid;place-items:center;width:64px;height:64px;margin-bottom:16px;border-radius:50%;font-size:32px;color:#fff}
.good .mark{background:#07803f}
.bad .mark{background:#8a6d1d}
.messages{list-style:none;margin:0;padding:0}
.messages li{margin-bottom:16px;padding:12px 14px;background:#fff;border-radius:12px}
.messages p{margin:4px 0}
.code{font-size:24px;letter-spacing:2px;user-select:all}
`);

/** New messages appear by themselves; without script the page has to be reloaded by hand. */
export const REFRESH_MESSAGES = raw(`<script>
const list = document.getElementById('messages');
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch('/phone/messages?phone=' + encodeURIComponent(list.dataset.phone)).catch(() => null);
  if (!answer || !answer.ok) return;
  const text = await answer.text();
  if (text !== list.dataset.shown) list.innerHTML = list.dataset.shown = text;
}, 1500);
</script>`);
