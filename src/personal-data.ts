import { accountsPersonalData, type PersonalData } from './accounts/server/personal-data.ts';
import { membershipPersonalData } from './membership/server/personal-data.ts';
import { readingPersonalData } from './reading/server/personal-data.ts';

/**
 * What every slice keeps about people. A slice that starts keeping something adds its part here: a copy of one's data
 * and the erasure of an account are made from this list (C-74). The account itself comes last, for the others may ask it.
 */
export const PERSONAL_DATA: PersonalData[] = [readingPersonalData, membershipPersonalData, accountsPersonalData];
