import { useRouteLoaderData } from 'react-router';
import type { loginMethods } from './accounts/contract.ts';
import type { getMine } from './membership/contract.ts';
import type { PageFacts } from './page-context.ts';
import type { Answer } from './protocol/endpoint.ts';

/** The data of the root loader, for every page. Not in root.tsx, which imports parts of those pages: that would be a ring. */
export type RootData = Pick<PageFacts, 'nonce' | 'origin' | 'site'> & {
  /** Null for visitors, and when the API cannot tell. */
  member: Answer<typeof getMine> | null;
  /** The ways to log in that this site offers. Null when the API cannot tell. */
  loginMethods: Answer<typeof loginMethods> | null;
};

/** Returns the data of the root loader. Undefined only where that loader failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<RootData>('root');
}

/** Returns the site's name, company and contact as the operator configured them. Undefined where the root loader failed. */
export function useSite() {
  return useRootData()?.site;
}
