import { documentIdOf } from '../library/addresses.ts';
import { isBlank } from '../protocol/hidden-characters.ts';

/** The rights that a report may name, by their name on the wire (C-96). */
export const RIGHTS = {
  copyright: '著作权',
  trademark: '商标权',
  reputation: '名誉权、荣誉权',
  portrait: '肖像权',
  privacy: '隐私权或个人信息',
  secret: '商业秘密',
  other: '其他权益',
} as const;
export type Right = keyof typeof RIGHTS;

/** The requests that a person may make about their personal data, by their names on the wire (C-105, 个人信息保护法 44–48). */
export const PRIVACY_KINDS = {
  access: '查阅、复制我的信息',
  correct: '更正、补充我的信息',
  delete: '删除我的信息',
  withdraw: '撤回同意',
  explain: '解释处理规则',
  child: '不满 14 周岁儿童的信息',
  other: '其他',
} as const;
export type PrivacyKind = keyof typeof PRIVACY_KINDS;

/** The sentence that the sender of a report declares (信息网络传播权保护条例 14: the sender answers for its truth). */
export const STATEMENT = '本人/本单位保证以上内容真实，并对此承担法律责任。';

/** Working days in which a privacy request is answered (§5, C-105). */
export const ANSWER_WORKING_DAYS = 15;

/**
 * Days between a counter-notice, which is passed on to the sender of the report, and the restoring of the document (电子商务法 43): in that
 * time the sender may complain to an authority or sue.
 */
export const COUNTER_NOTICE_DAYS = 15;

/**
 * `received → accepted | rejected`; an accepted report has taken its document down. `accepted → countered → restored`, `accepted → restored`, and
 * `countered → accepted` when the sender of the report complains to an authority or sues.
 */
export type ReportState = 'received' | 'accepted' | 'countered' | 'rejected' | 'restored';

export const LENGTHS = { docUrl: 500, owner: 100, contact: 300, proof: 3_000, statement: 300, content: 2_000 } as const;
const MIN_PROOF = 10;
const MIN_CONTENT = 5;
const MIN_ADDRESS = 5;

const EMAIL = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}/;
const PHONE = /(?:\+?\d[\d ()-]{5,18}\d)/;

/** A report as its sender writes it; the fields have their names on the wire. `doc_url` names a document of the site. */
export type ReportFields = {
  doc_url: string;
  type: string;
  owner: string;
  contact: string;
  proof: string;
  statement: string;
};
export type FieldError<Field extends string = string> = { field: Field; message: string };

/** Returns what is wrong with each field of a report, in the order of the form; an empty list for a report that can be sent. */
export function reportErrors(fields: ReportFields): FieldError<keyof ReportFields>[] {
  return listed([
    ['doc_url', tooLong(fields.doc_url, LENGTHS.docUrl) ?? addressOfDocumentError(fields.doc_url)],
    ['type', Object.hasOwn(RIGHTS, fields.type) ? null : '请选择被侵害的权利'],
    ['owner', lengthError(fields.owner, '权利人的姓名或名称', 2, LENGTHS.owner)],
    ['contact', contactError(fields.contact) ?? addressError(fields.contact)],
    ['proof', lengthError(fields.proof, '权属与侵权的说明', MIN_PROOF, LENGTHS.proof)],
    ['statement', fields.statement === '' ? '请确认真实性声明' : tooLong(fields.statement, LENGTHS.statement)],
  ]);
}

export type PrivacyFields = { type: string; contact: string; content: string };

/** Returns what is wrong with each field of a privacy request, in the order of the form. */
export function privacyErrors(fields: PrivacyFields): FieldError<keyof PrivacyFields>[] {
  return listed([
    ['type', Object.hasOwn(PRIVACY_KINDS, fields.type) ? null : '请选择请求的类型'],
    ['contact', contactError(fields.contact)],
    ['content', lengthError(fields.content, '请求的内容', MIN_CONTENT, LENGTHS.content)],
  ]);
}

function listed<Field extends string>(checks: [Field, string | null][]): FieldError<Field>[] {
  return checks.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]));
}

function lengthError(text: string, what: string, min: number, max: number): string | null {
  if (text === '') return `请填写${what}`;
  return [...text].length < min ? `${what}至少 ${min} 个字` : tooLong(text, max);
}

const tooLong = (text: string, max: number) => ([...text].length > max ? `最多 ${max} 个字` : null);

const addressOfDocumentError = (address: string) =>
  documentIdIn(address) > 0 ? null : '请填写本站方案的网址，例如 /detail/123';

/** The length is judged first: the patterns take long for texts of many thousand characters. */
function contactError(contact: string): string | null {
  if (contact === '') return '请填写联系方式';
  const isReachable = () => EMAIL.test(contact) || PHONE.test(contact);
  return tooLong(contact, LENGTHS.contact) ?? (isReachable() ? null : '请写明能联系到您的手机号、电话或邮箱');
}

/** The law asks for a postal address beside the means of contact. */
function addressError(contact: string): string | null {
  const rest =
    contact
      .replace(EMAIL, '')
      .replace(PHONE, '')
      .match(/[\p{L}\p{N}]/gu) ?? [];
  return rest.length < MIN_ADDRESS ? '请写明通讯地址' : null;
}

/** Returns the id of the document that an address or a bare number names: 123, /detail/123, https://host/detail?fid=123; 0 for none. */
export function documentIdIn(address: string): number {
  const text = address.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, segment, query = ''] = /\/detail(?:\/([^/?#]*))?\/?(?:\?([^#]*))?(?:#.*)?$/.exec(text) ?? [];
  if (segment === undefined && query === '') return 0;
  return documentIdOf(segment, new URLSearchParams(query).get('fid'));
}

/**
 * True for a path or a bare number, and for an address with one of `hosts` (`ceku.example.com`), with or without a scheme; also behind other
 * words, as in the text of a share.
 */
export function isAddressOf(hosts: readonly string[], address: string): boolean {
  const text = address.trim();
  if (/^(\d+$|\/(?![/\\]))/.test(text)) return true;
  const link = text.match(/https?:\S*$/iu)?.[0] ?? `https://${text.replace(/^\/+/, '')}`;
  return hosts.includes(URL.parse(link)?.host ?? '');
}

/**
 * Returns a text of several lines that PostgreSQL and a terminal can hold: no control or invisible characters, no gaps of many lines; "" when
 * nobody would see anything of the text.
 */
export function cleanText(text: string): string {
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{C}\n]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return isBlank(clean) ? '' : clean;
}

/** Letters and digits that are not mistaken for each other when they are read out. */
const RECEIPT_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const RECEIPT_CHARACTERS = 8;

/** The form that a receipt belongs to: QS an infringement report (侵权), YS a privacy request (隐私). */
export type ReceiptKind = 'QS' | 'YS';

/** Returns a receipt number: kind, day (YYYY-MM-DD) and letters chosen by `random` (bytes, at least 8): QS20261123-4K7M2PXR. */
export function receiptNo(kind: ReceiptKind, day: string, random: Uint8Array): string {
  const letters = [...random.subarray(0, RECEIPT_CHARACTERS)].map(
    (byte) => RECEIPT_LETTERS[byte % RECEIPT_LETTERS.length],
  );
  return `${kind}${day.replaceAll('-', '')}-${letters.join('')}`;
}
