import { DECK_LIST_ONE } from './deck-list-one.ts';
import { DECK_LIST_TWO } from './deck-list-two.ts';
import { INDUSTRY_LIST_ONE } from './industry-list-one.ts';
import { INDUSTRY_LIST_TWO } from './industry-list-two.ts';
import { PLAY_LIST } from './play-list.ts';
import { STYLES, type StyleKey } from '../styles.ts';

/** A short title and its sentence. */
export interface Point {
  title: string;
  text: string;
}

export interface IndustryCopy {
  name: string;
  figures: Point[];
  insights: Point[];
  audiences: Point[];
}

export interface Play {
  key: string;
  kicker: string;
  trend: { caption: string; labels: string[] };
  strategy: Point[];
  timeline: { when: string; phase: string; work: string }[];
  budget: { group: string; item: string; count: number; yuan: number }[];
  channels: { phase: string; channel: string; content: string; goal: string }[];
  goals: Point[];
  zones: Point[];
}

export interface DeckCopy {
  /** Position in the list, from 0. */
  index: number;
  style: StyleKey;
  palette: number;
  variant: number;
  name: string;
  brand: string;
  industry: IndustryCopy;
  themes: string[];
  play: Play;
  type: string;
  city: string;
  slogan: string;
  tagline: string;
  highlights: Point[];
}

const lines = (list: string): string[] => list.trim().split('\n');

/** Split into exactly `count` fields or say which line is wrong. */
function fields(text: string, separator: string, count: number): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  if (parts.length !== count || parts.some((part) => part === '')) {
    throw new Error(`expected ${count} fields separated by "${separator.trim()}": ${text.slice(0, 80)}`);
  }
  return parts;
}

function points(text: string, separator: string): Point[] {
  return text.split(separator).map((part) => {
    const [title = '', sentence = ''] = fields(part, ':', 2);
    return { title, text: sentence };
  });
}

function readIndustry(line: string): IndustryCopy {
  const [name = '', figures = '', insights = '', audiences = ''] = fields(line, ' | ', 4);
  return { name, figures: points(figures, ';'), insights: points(insights, '/'), audiences: points(audiences, '/') };
}

function readPlay(block: readonly string[]): Play {
  const [head = '', strategy = '', timeline = '', budget = '', channels = '', goals = '', zones = ''] = block;
  const [key = '', kicker = '', caption = '', labels = ''] = fields(head, '|', 4);
  const rows = (text: string, count: number) => text.split(' / ').map((row) => fields(row, ':', count));
  return {
    key,
    kicker,
    trend: { caption, labels: labels.split(',') },
    strategy: points(strategy, ' / '),
    timeline: rows(timeline, 3).map(([when = '', phase = '', work = '']) => ({ when, phase, work })),
    budget: rows(budget, 4).map(([group = '', item = '', count, yuan]) => ({
      group,
      item,
      count: Number(count),
      yuan: Number(yuan),
    })),
    channels: rows(channels, 4).map(([phase = '', channel = '', content = '', goal = '']) => ({
      phase,
      channel,
      content,
      goal,
    })),
    goals: points(goals, ' / '),
    zones: points(zones, ' / '),
  };
}

function styleKey(word: string): StyleKey {
  if (!Object.hasOwn(STYLES, word)) throw new Error(`unknown style ${word}`);
  return word as StyleKey; // checked the line above
}

/** All decks of the demo library, in their fixed order. Throws when a line of the lists is malformed. */
export function readDecks(): DeckCopy[] {
  const industries = new Map(
    [...lines(INDUSTRY_LIST_ONE), ...lines(INDUSTRY_LIST_TWO)].map(readIndustry).map((x) => [x.name, x]),
  );
  const playLines = lines(PLAY_LIST);
  const plays = new Map<string, Play>();
  for (let i = 0; i < playLines.length; i += 7) {
    const play = readPlay(playLines.slice(i, i + 7));
    plays.set(play.key, play);
  }
  return [...lines(DECK_LIST_ONE), ...lines(DECK_LIST_TWO)].map((line, index) => {
    const [
      look = '',
      name = '',
      brand = '',
      industryName = '',
      themes = '',
      playKey = '',
      type = '',
      city = '',
      slogan = '',
      tagline = '',
      highlights = '',
    ] = fields(line, ' | ', 11);
    const [style = '', palette, variant] = fields(look, ' ', 3);
    const industry = industries.get(industryName);
    const play = plays.get(playKey);
    if (!industry || !play) throw new Error(`unknown industry or play: ${industryName}, ${playKey}`);
    return {
      index,
      style: styleKey(style),
      palette: Number(palette),
      variant: Number(variant),
      name,
      brand,
      industry,
      themes: themes.split(';'),
      play,
      type,
      city,
      slogan,
      tagline,
      highlights: points(highlights, '/'),
    };
  });
}
