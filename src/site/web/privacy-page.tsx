import type { Route } from './+types/privacy-page';
import { LegalPage } from './legal/legal-page.tsx';
import { privacyText } from './legal/privacy-text.ts';
import { legalMeta } from './legal/legal-meta.ts';
import { useSite } from './site-facts.ts';

export function meta({ matches }: Route.MetaArgs) {
  return legalMeta(
    matches[0].loaderData,
    '/privacy',
    '隐私政策',
    '我们收集哪些信息、为什么收集、保存多久，以及您的权利。',
  );
}

export default function PrivacyPage() {
  const site = useSite();
  return site ? <LegalPage text={privacyText(site)} /> : null;
}
