import { useRootData } from '../../root-data.ts';

/** Returns the site's name, company and contact as the operator configured them. Undefined where the root loader failed. */
export function useSite() {
  return useRootData()?.site;
}
