import { useRootData } from '../../root-data.ts';

/** Returns the address of the pretend phone while the pretend providers are in use, else null. */
export function useOutsidePhone(): string | null {
  return useRootData()?.site.outsidePhoneUrl ?? null;
}
