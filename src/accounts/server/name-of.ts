import type { Account } from './find-user.ts';

/** How an operator knows a user. */
export const nameOf = (user: Account) => `User ${user.username ?? (user.phone || user.nickname)} (id ${user.id})`;
