import type { Route } from './+types/protocol-page';
import { LegalPage, legalMeta } from './legal-page.tsx';
import { protocolText } from './protocol-text.ts';
import { useSite } from '../../root-data.ts';

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
