/**
 * Converts the stored file type (`pptx`, `ppt`, `pdf`) to the numbers and words of the API (C-09). The four representations differ on
 * purpose: the specification promises each of them.
 */
export const FILE_TYPES = ['pptx', 'ppt', 'pdf'] as const;
export type FileType = (typeof FILE_TYPES)[number];

type DetailFileType = { file_type: 1 | 2 | 3; file_type_text: 'PPTX' | 'PPT' | 'PDF' };
type ListFileType = { file_type: 1 | 2; file_type_text: 'PPT' | 'PDF' };

const DETAIL: Record<FileType, DetailFileType> = {
  pptx: { file_type: 1, file_type_text: 'PPTX' },
  ppt: { file_type: 2, file_type_text: 'PPT' },
  pdf: { file_type: 3, file_type_text: 'PDF' },
};

/** (a) Detail: 1 pptx, 2 ppt, 3 pdf. */
export function detailFileType(type: FileType): DetailFileType {
  return DETAIL[type];
}

/** (b) Lists: 1 PDF, 2 any PPT. */
export function listFileType(type: FileType): ListFileType {
  return type === 'pdf' ? { file_type: 1, file_type_text: 'PDF' } : { file_type: 2, file_type_text: 'PPT' };
}

/** The two kinds a reader can filter by; also the entities of `/filetype/{id}` (d), with the ids of the filter. */
export const FILE_KINDS = [
  {
    id: 1,
    name: 'PPT',
    kind: 'ppt',
    types: ['pptx', 'ppt'],
    description: '可编辑的演示文稿，下载后直接改成自己的提案',
  },
  { id: 2, name: 'PDF', kind: 'pdf', types: ['pdf'], description: '版式固定的成稿，适合阅读、打印和转发' },
] as const satisfies readonly {
  id: number;
  name: string;
  kind: string;
  types: FileType[];
  description: string;
}[];

type FileKind = (typeof FILE_KINDS)[number];

/** (c) Search filter: 1 PPT, 2 PDF. Null for 0 and anything else: all. */
export function fileKindOfFilter(filetype: number): FileKind | null {
  return FILE_KINDS.find((kind) => kind.id === filetype) ?? null;
}

export function fileKindOf(type: FileType): FileKind {
  return type === 'pdf' ? FILE_KINDS[1] : FILE_KINDS[0];
}
