import type { z } from 'zod';
import type { Code } from './codes.ts';

/**
 * The single description of a call: the server validates with it, loader and browser take their types from it, OpenAPI
 * is generated from it. `input` describes the JSON body of a POST or the query of a GET; unknown fields are ignored
 * (C-01). Built pages hold method, path and auth only (scripts/vite-plugins/call-addresses.ts).
 */
export type Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST';
  path: `/api/${string}`;
  /** One line for the API reference, in Chinese like the page that shows it. */
  summary: string;
  /** `session`: answers 10000 or 2 before anything else when the caller is not logged in. */
  auth: 'none' | 'session';
  /** True for a call that visitors may make and that answers members more: a token whose session was ended is answered 2, not as a visitor (C-43). */
  isPersonal?: boolean;
  input: I;
  output: O;
  /**
   * The `data` of refusals that say more than their message, for the API reference: with any of `codes`, `data` is as
   * `data` describes.
   */
  refusals?: { codes: readonly Code[]; data: z.ZodType };
  /** Also accepts the other method, with no body: the calls §7 marks "none" (C-01). */
  isBodyless?: boolean;
  /** Repeats `data` as `infor` (C-01). */
  isInfor?: boolean;
  /**
   * Requests a minute: by IP for visitors, by user for members (C-114). `isByAddress`: members are counted by IP as
   * well, for calls that test secrets, where a login must not buy more attempts. `countedAs`: endpoints of one name are
   * counted together. `isInMemory`: see Limiter.
   */
  limit?: { perIp: number; perUser: number; isByAddress?: boolean; countedAs?: string; isInMemory?: boolean };
  /**
   * True when the answer to `input` depends on nothing but the input, on tables whose changes are notified, and on the
   * time: page loaders then share one answer for up to 30 s (docs/decisions/018). False whenever a session may change it.
   */
  isShared?(input: z.output<I>, caller: { isVisitor: boolean }): boolean;
};

export function endpoint<I extends z.ZodType, O extends z.ZodType>(definition: Endpoint<I, O>): Endpoint<I, O> {
  return definition;
}

export type Input<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : never;
export type Parsed<E> = E extends Endpoint<infer I, z.ZodType> ? z.output<I> : never;
export type Output<E> = E extends Endpoint<z.ZodType, infer O> ? z.input<O> : never;
export type Answer<E> = E extends Endpoint<z.ZodType, infer O> ? z.output<O> : never;
