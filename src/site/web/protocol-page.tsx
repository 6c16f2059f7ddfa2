import type { Route } from './+types/protocol-page';
import { LegalPage } from './legal/legal-page.tsx';
import { protocolText } from './legal/protocol-text.ts';
import { legalMeta } from './legal/legal-meta.ts';
import { useSite } from './site-facts.ts';

export function meta({ matches }: Route.MetaArgs) {
  return legalMeta(
    matches[0].loaderData,
    '/protocol',
    '服务协议',
    '使用条件、会员与喵币、下载文件的使用规则与违约责任。',
  );
}

export default function ProtocolPage() {
  const site = useSite();
  return site ? <LegalPage text={protocolText(site)} /> : null;
}
