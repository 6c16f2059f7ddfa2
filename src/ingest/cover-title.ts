import { withoutContacts } from '../library/contacts.ts';
import { isGeneral, namesKind } from './general-words.ts';
import type { HeadLine } from './page-text.ts';
import { joinLines } from './page-text.ts';
import { isPlaceholder } from './placeholders.ts';

/** Lines about people: who speaks, for whom, with whom. */
const PERSON =
  /^(?:答辩人|答辩学生|汇报人?|报告人|主讲人?|讲师|讲者|演讲人|演讲嘉宾|分享人|学生|姓名|作者|编制|撰写|制作人?|指导(?:老师|教师)|导师|组员|组长|小组成员|成员|投标人|投标单位|学号|班级|专业|学院|部门|日期|时间|地点|电话|联系(?:人|电话|方式)?|邮箱|官网|网址)\s*[:：]/u;
const TEAM = /^(?:第[一二三四五六七八九十\d]{1,3}(?:小)?组|.{0,6}(?:团队|小组)|(?:the )?[\w ]{0,16}\bteam)$/iu;
/** English that decorates a Chinese cover. */
const DECORATION = /^[\p{Script=Latin}\d\s&.,'’:/|·-]+$/u;

/** A line of this share of the largest is a part of the title; a line that names the kind of document may be smaller. */
const PART_SHARE = 0.42;
const KIND_SHARE = 0.3;
const MAX_PARTS = 4;
const MAX_CHARACTERS = 60;

/** Returns the lines that may belong to a title: no text of a template, no people, no English beside Chinese. */
function titleLines(cover: readonly HeadLine[]): HeadLine[] {
  const lines = cover.filter(
    ([text]) =>
      /\p{L}{2}/u.test(text) &&
      !isPlaceholder(text) &&
      withoutContacts(text) === text &&
      !PERSON.test(text.trim()) &&
      !TEAM.test(text.trim()),
  );
  const chinese = lines.filter(([text]) => /\p{Script=Han}/u.test(text) || !DECORATION.test(text));
  return chinese.some(([text]) => /\p{Script=Han}{2}/u.test(text)) ? chinese : lines;
}

/**
 * Returns the title of a cover by the order and the heights of its lines: the largest line, with the lines of nearly its size, and
 * with the line that names the kind of document. A general line (商业计划书) takes the name that stands beside it in front. `main` is the
 * largest line; both are "" for a cover without a title.
 */
export function coverTitle(cover: readonly HeadLine[]): { title: string; main: string } {
  const lines = titleLines(cover);
  const largest = lines.reduce((height, line) => Math.max(height, line[1]), 0);
  const main = lines.find(([, height]) => height === largest);
  if (!main) return { title: '', main: '' };
  const isPart = ([text, height]: HeadLine) =>
    height >= largest * (namesKind(text) && !namesKind(main[0]) ? KIND_SHARE : PART_SHARE);
  let parts = lines.filter(isPart).slice(0, MAX_PARTS);
  if (parts.every(([text]) => isGeneral(text))) {
    const named = lines.find((line) => !parts.includes(line) && line[1] >= largest * KIND_SHARE && !isGeneral(line[0]));
    if (named) parts = [named, ...parts];
  }
  const [first, second] = parts;
  if (first && second && namesKind(first[0]) && isGeneral(first[0]) && !isGeneral(second[0]))
    parts = [...parts.slice(1), first];
  return {
    title: fitting(
      parts.map(([text]) => text.trim()),
      main[0],
    ),
    main: main[0].trim(),
  };
}

/** Joins the parts as long as the title stays short; the largest line is kept in any case. */
function fitting(parts: readonly string[], main: string): string {
  let title = '';
  for (const part of parts) {
    if (title !== '' && title.includes(part)) continue;
    const longer = title === '' ? part : isContinued(title) ? joinLines(title, part) : `${title} ${part}`;
    if ([...longer].length <= MAX_CHARACTERS || title === '') title = longer;
  }
  return title.includes(main.trim()) ? title : main.trim();
}

const isContinued = (text: string) => /[的与和及暨、—“《下之在于·:：]$/u.test(text);
