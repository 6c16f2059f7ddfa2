/** The look of /api, which is served without the pages' bundle: the same palette as src/ui/theme/tokens.css. */
export const REFERENCE_STYLE = `
*{box-sizing:border-box}
html{scroll-padding-top:72px}
body{margin:0;background:#faf8f4;color:#1c1b19;font:14px/1.6 "PingFang SC","HarmonyOS Sans SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;font-variant-numeric:tabular-nums}
a{color:inherit}
:focus-visible{outline:2px solid #c8371f;outline-offset:2px}
header{position:sticky;top:0;z-index:1;display:flex;align-items:center;gap:12px;height:56px;padding:0 24px;background:#faf8f4;border-bottom:1px solid #e8e3da}
.brand{font-size:20px;font-weight:800;text-decoration:none}
header span{color:#6b665e}
.spec{margin-left:auto;padding:4px 12px;border:1px solid #e8e3da;border-radius:6px;background:#fff;text-decoration:none}
.spec:hover{border-color:#1c1b19}
.page{display:grid;grid-template-columns:248px minmax(0,1fr);gap:48px;max-width:1200px;margin:0 auto;padding:32px 24px 72px}
nav{position:sticky;top:88px;align-self:start;max-height:calc(100vh - 112px);overflow:auto}
nav h2{margin:16px 0 4px;font-size:13px;color:#6b665e;font-weight:400}
nav h2:first-child{margin-top:0}
nav ul{margin:0;padding:0;list-style:none}
nav a{display:block;padding:2px 8px;border-left:2px solid #e8e3da;text-decoration:none;font:13px/1.6 ui-monospace,"SFMono-Regular",Menlo,Consolas,"Noto Sans Mono CJK SC",monospace;overflow-wrap:anywhere}
nav a:hover{border-color:#c8371f;color:#a92c17}
h1{margin:0 0 8px;font-size:28px;line-height:1.25;font-weight:800}
.lead{margin:0 0 32px;font-size:16px;color:#6b665e}
section{margin:0 0 48px}
section>h2{margin:0 0 12px;font-size:20px;line-height:1.25}
article{margin:0 0 24px;padding:24px;background:#fff;border:1px solid #e8e3da;border-radius:12px}
article:target{border-color:#c8371f}
h3{display:flex;flex-wrap:wrap;align-items:center;gap:8px;margin:0;font-size:16px}
h3 code{font-weight:600;background:none;padding:0}
h4{margin:16px 0 8px;font-size:14px}
article p{margin:8px 0 0;color:#6b665e}
.method{padding:2px 8px;border-radius:4px;background:#1c1b19;color:#fff;font-size:13px;font-weight:600;line-height:1.4}
.tags{display:flex;flex-wrap:wrap;gap:8px}
.tag{padding:0 8px;border-radius:4px;background:#f3efe7;color:#6b665e;font-size:13px}
.seal{background:#fbede9;color:#a92c17}
.jade{background:#e6f1ee;color:#1f6b5c}
.none{margin:0!important}
code,pre{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"Noto Sans Mono CJK SC",monospace;font-size:13px}
code{overflow-wrap:anywhere}
pre{margin:0;padding:16px;border-radius:6px;background:#1c1b19;color:#faf8f4;overflow:auto;line-height:1.6}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th,td{padding:8px 12px 8px 0;border-bottom:1px solid #e8e3da;text-align:left;vertical-align:top}
th{color:#6b665e;font-size:13px;font-weight:400}
td:nth-child(2){color:#6b665e}
article td:first-child{width:32%}
article td:nth-child(2){width:20%}
td b{margin-left:8px;color:#a92c17;font-size:12px;font-weight:400}
summary{margin-top:16px;padding:4px 0;font-weight:600;cursor:pointer}
@media(max-width:767px){header{padding:0 16px}.page{display:block;padding:24px 16px 48px}nav{position:static;max-height:none;margin-bottom:32px;padding:16px;border:1px solid #e8e3da;border-radius:12px;background:#fff}nav a{padding:4px 8px}article{padding:16px}.scroll table{min-width:480px}}
`;
