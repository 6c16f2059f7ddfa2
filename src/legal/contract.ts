import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';
import { rowId } from '../protocol/fields.ts';
import { ANSWER_WORKING_DAYS, cleanText, LENGTHS, PRIVACY_KINDS, RIGHTS } from './rules.ts';

/** Far above what a field may hold, so that a text that is too long is told so by its own field. */
const MAX_CHARACTERS = 20_000;

/** A text that a person typed; what is missing is the empty text, which rules.ts refuses by name of the field. */
const typed = z.string('请填写文字').max(MAX_CHARACTERS, '内容过长').default('').transform(cleanText);

const namesOf = (words: Record<string, string>) =>
  Object.entries(words)
    .map(([name, word]) => `${name} ${word}`)
    .join('，');

const receipt = {
  receipt_no: z.string().describe('回执号'),
  create_time: z.number().int().describe('收到的时间，Unix 秒'),
};

/** Forms without a login: few people need them more than twice. */
const LIMIT = { perIp: 6, perUser: 6, isByAddress: true };

export const reportInfringement = endpoint({
  method: 'POST',
  path: '/api/infringement/report',
  summary: '提交一份侵权通知，得到回执号。字段均为法定内容，缺一不可；无需登录。',
  auth: 'none',
  input: z.object({
    doc_url: typed.describe(`被投诉方案的网址，如 /detail/123；与 doc_id 至少填一个，最多 ${LENGTHS.docUrl} 个字`),
    doc_id: rowId.describe('被投诉方案的 id；填写后以它为准').meta({ isRequired: false }),
    type: typed.describe(`被侵害的权利：${namesOf(RIGHTS)}`),
    owner: typed.describe(`权利人的姓名或名称，2–${LENGTHS.owner} 个字`),
    contact: typed.describe(`手机号、电话或邮箱，以及通讯地址，最多 ${LENGTHS.contact} 个字`),
    proof: typed.describe(`权属与侵权的说明、证据的网址，10–${LENGTHS.proof} 个字`),
    statement: typed.describe(`真实性声明，最多 ${LENGTHS.statement} 个字`),
  }),
  output: z.object({ ...receipt, doc_name: z.string().describe('被投诉方案的名称') }),
  limit: LIMIT,
});

export const requestPrivacy = endpoint({
  method: 'POST',
  path: '/api/privacy/request',
  summary: `提交一份个人信息请求，得到回执号；${ANSWER_WORKING_DAYS} 个工作日内答复。无需登录，登录后提交的会关联账号。`,
  auth: 'none',
  input: z.object({
    type: typed.describe(`请求的类型：${namesOf(PRIVACY_KINDS)}`),
    contact: typed.describe(`接收答复的手机号、电话或邮箱，最多 ${LENGTHS.contact} 个字`),
    content: typed.describe(`请求的内容，5–${LENGTHS.content} 个字`),
  }),
  output: z.object({
    ...receipt,
    due_date: z.string().describe('最迟答复日期 YYYY-MM-DD（北京时间）'),
  }),
  limit: LIMIT,
});
