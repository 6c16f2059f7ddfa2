import type { Route } from './+types/privacy-page';
import { PrivacyForm } from './privacy-form.tsx';
import { LegalPage, legalMeta } from './legal-page.tsx';
import { privacyText } from './privacy-text.ts';
import { useSite } from '../../root-data.ts';

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
  return site ? <LegalPage text={privacyText(site)} form={{ section: 'rights', content: <PrivacyForm /> }} /> : null;
}
