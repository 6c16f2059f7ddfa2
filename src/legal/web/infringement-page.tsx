import type { Route } from './+types/infringement-page';
import { InfringementForm } from './infringement-form.tsx';
import { LegalPage, legalMeta } from './legal-page.tsx';
import { infringementText } from './infringement-text.ts';
import { useSite } from '../../root-data.ts';

export function meta({ matches }: Route.MetaArgs) {
  return legalMeta(
    matches[0].loaderData,
    '/infringement',
    '侵权投诉指引',
    '权利人如何通知我们，需要提供哪些材料，以及处理流程。',
  );
}

export default function InfringementPage() {
  const site = useSite();
  return site ? (
    <LegalPage text={infringementText(site)} form={{ section: 'send', content: <InfringementForm /> }} />
  ) : null;
}
