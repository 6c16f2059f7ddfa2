import { z } from 'zod';
import { documentItem } from '../library/contract.ts';
import { endpoint } from '../protocol/endpoint.ts';
import { flag, rowId, rowIds, ownSid } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { isUploadKey } from './rules-uploads.ts';

/** Groups on a page of the list (§9). */
export const GROUP_PAGE_SIZE = 7;
/** Documents on a page of a group's shelf. */
export const SHELF_PAGE_SIZE = 12;

export const groupItem = z.object({
  id: z.number().int().describe('社群 id'),
  name: z.string().describe('名称'),
  logo: z.string().describe('图标，可直接作为 img 的 src'),
  description: z.string().describe('简介；没有时为空字符串'),
  member_count: z.number().int().describe('成员数'),
  fcount: z.number().int().describe('书架上的方案数，不含已下架的'),
  joined: flag.describe('当前用户已加入为 1'),
  added: flag.describe('请求给出 fid 时，该方案已在此社群书架为 1，否则为 0'),
});
export type GroupItem = z.infer<typeof groupItem>;

const WRITES = { perIp: 120, perUser: 120 };

export const listGroups = endpoint({
  method: 'POST',
  path: '/api/group/getGroupList',
  summary: '全部社群，每页 7 个。',
  auth: 'session',
  isInfor: true,
  limit: { perIp: 240, perUser: 240, isInMemory: true },
  input: z.object({
    sid: ownSid,
    page: pageNumber,
    fid: rowId.describe('方案 id，可省略；给出时返回各社群是否已有该方案').meta({ isRequired: false }),
  }),
  output: z.object({
    group_list: z.array(groupItem).describe('社群'),
    joined_count: z.number().int().describe('当前用户已加入的社群数'),
    ...pagedFields,
  }),
});

export const listMyGroups = endpoint({
  method: 'POST',
  path: '/api/web/getMyGroups',
  summary: '当前用户已加入的社群，最近加入的在前。',
  auth: 'session',
  limit: { perIp: 240, perUser: 240, isInMemory: true },
  input: z.object({ sid: ownSid, page: pageNumber, pageSize: pageSize(50) }),
  output: z.object({ groups: z.array(groupItem).describe('社群'), ...pagedFields }),
});

export const joinGroup = endpoint({
  method: 'POST',
  path: '/api/group/join',
  summary: '加入社群：会员免费，非会员返回 50；重复加入无影响。',
  auth: 'session',
  limit: WRITES,
  input: z.object({ gid: rowId.describe('社群 id') }),
  output: z.object({ joined: z.literal(1).describe('恒为 1') }),
});

export const leaveGroup = endpoint({
  method: 'POST',
  path: '/api/group/leave',
  summary: '退出社群；加到书架的方案会保留。',
  auth: 'session',
  limit: WRITES,
  input: z.object({ gid: rowId.describe('社群 id') }),
  output: z.object({ joined: z.literal(0).describe('恒为 0') }),
});

/** The most groups that one call adds a document to. */
const MAX_GROUPS = 50;

const added = z.object({ added: z.number().int().describe('新加入了几个社群；已在书架上的不重复计') });

/** Adds to all of the groups or to none of them (C-88). */
export const addGroupsFiles = endpoint({
  method: 'POST',
  path: '/api/group/addGroupsFiles',
  summary: '把一份方案加到若干社群的书架。未选择社群返回 1，其中有未加入的社群返回 50；重复添加无影响。',
  auth: 'session',
  limit: WRITES,
  input: z.object({
    sid: ownSid,
    fid: rowId.describe('方案 id'),
    gids: rowIds(MAX_GROUPS).describe('社群 id 的数组，或其 JSON 文本'),
  }),
  output: added,
});

/** The key of an upload: the last part of its address in the tus protocol. "", which no upload has, for anything else. */
const uploadKey = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' && isUploadKey(value) ? value : ''))
  .meta({ type: 'string', examples: ['0123456789abcdef0123456789abcdef'] });

/** `online_url` and `page_count` of older clients are ignored: the server knows both (C-88). */
export const addGroupFile = endpoint({
  method: 'POST',
  path: '/api/web/addGroupFile',
  summary:
    '把一份方案，或自己上传的文件（oss_name），加到一个社群的书架；上传的文件先经过检查，随后开始转换；其余同 /api/group/addGroupsFiles。',
  auth: 'session',
  limit: WRITES,
  input: z.object({
    gid: rowId.describe('社群 id'),
    file: rowId.meta({ isRequired: false }).describe('方案 id；给出 oss_name 时省略'),
    oss_name: uploadKey.describe('上传的 key，可省略'),
  }),
  output: added,
});

export const removeGroupFile = endpoint({
  method: 'POST',
  path: '/api/group/removeFile',
  summary: '把自己加的方案从社群书架移除；不是自己加的返回 4。',
  auth: 'session',
  limit: WRITES,
  input: z.object({ gid: rowId.describe('社群 id'), fid: rowId.describe('方案 id') }),
  output: z.object({}),
});

const shelfItem = documentItem.extend({
  added_by: z.string().describe('添加者昵称；由站方添加或添加者已注销时为空字符串'),
  add_time: z.number().int().describe('添加时间，Unix 秒'),
  can_remove: flag.describe('由当前用户添加，可移除时为 1'),
});
export type ShelfItem = z.infer<typeof shelfItem>;

/** A caller who is not in the group gets code 50, with the group and an empty shelf. */
export const listGroupFiles = endpoint({
  method: 'POST',
  path: '/api/group/fileList',
  summary: '社群书架上的方案，最近添加的在前；未加入的社群返回 50，只含社群简介。',
  auth: 'session',
  limit: { perIp: 240, perUser: 240, isInMemory: true },
  input: z.object({ gid: rowId.describe('社群 id'), page: pageNumber, pageSize: pageSize(SHELF_PAGE_SIZE) }),
  output: z.object({
    group: groupItem.describe('社群'),
    files: z.array(shelfItem).describe('方案'),
    ...pagedFields,
  }),
});
