import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { loadOnce } from '../platform/load-once.ts';
import { fold } from './fold.ts';

/**
 * What a sentence is about that people say who do not know the word of the trade: 一大帮人蹬着车慢悠悠逛城里 is about 骑行. everyday.txt holds sentences of known topics;
 * a query is about the topic whose sentences share most with it, counted in characters and pairs of neighbours (nearest centroid by TF-IDF and cosine).
 */
export type Topic = {
  /** The words of the trade; none for what no library of plans has. */
  words: readonly string[];
  /** Words of the industry that it is about as well: who lets people try a sip sells food or drinks; [] for most topics. */
  industryWords: readonly string[];
  /** The cosine of the query and the sum of the sentences of the topic. */
  closeness: number;
};

const MIN_CLOSENESS = 0.07;
/** A second topic must come as close as this to the first. */
const MIN_SHARE = 0.8;
const MAX_TOPICS = 2;
/** Shorter texts are words, not sentences. */
const MIN_HAN = 5;

type Sentences = { words: readonly string[]; industryWords: readonly string[]; texts: readonly string[] };
/** A character or a pair of neighbours: how rare it is, the topics that use it, and its weight in each. */
type Feature = { rarity: number; topics: number[]; weights: number[] };
type Model = {
  topics: readonly Omit<Topic, 'closeness'>[];
  features: ReadonlyMap<string, Feature>;
  /** The rarity of what no known sentence holds. */
  unknown: number;
};

const openModel = loadOnce(async () =>
  learn(parse(await readFile(new URL('word-lists/everyday.txt', import.meta.url), 'utf8'))),
);

/** Returns the topics of a query, the closest first; [] where it is about none. One without words is about nothing that a library of plans has. The first call reads the known sentences: 0.3 seconds, in short slices. */
export async function topicsOf(query: string): Promise<Topic[]> {
  if (fold(query).filter(({ kind }) => kind === 'han').length < MIN_HAN) return [];
  const { topics, ...known } = await openModel();
  const closeness = closenessOf(query, topics.length, known);
  const minCloseness = Math.max(MIN_CLOSENESS, Math.max(...closeness) * MIN_SHARE);
  return topics
    .map((topic, at) => ({ ...topic, closeness: closeness[at] ?? 0 }))
    .filter((topic) => topic.closeness >= minCloseness)
    .sort((a, b) => b.closeness - a.closeness)
    .slice(0, MAX_TOPICS);
}

/** Reads `sentence、sentence ~ word = word + industry = industry`, one topic a line. */
const parse = (text: string): Sentences[] =>
  text
    .split('\n')
    .filter((line) => line.includes('~'))
    .map((line) => {
      const [texts = '', all = ''] = line.split('~').map((part) => part.trim());
      const [words = [], industryWords = []] = all.split(' + ').map((part) => (part ? part.split(' = ') : []));
      return { texts: texts.split('、'), words, industryWords };
    });

/** Adds up the vectors of the sentences of each topic, each as long as 1. A feature is as rare as the topics that use it are few. Lets others run after each topic. */
async function learn(known: readonly Sentences[]): Promise<Model> {
  const topicCounts = new Map<string, number>();
  for (const { texts } of known) {
    for (const name of new Set(texts.flatMap((text) => [...featuresOf(text)])))
      topicCounts.set(name, (topicCounts.get(name) ?? 0) + 1);
    await setImmediate();
  }
  const rarityOf = (topicCount: number) => Math.log(known.length / topicCount) + MIN_RARITY;
  const features = new Map<string, Feature>();
  for (const [name, topicCount] of topicCounts)
    features.set(name, { rarity: rarityOf(topicCount), topics: [], weights: [] });
  for (const [topic, { texts }] of known.entries()) {
    const sum = new Map<Feature, number>();
    for (const text of texts) {
      const used = [...featuresOf(text)].flatMap((name) => features.get(name) ?? []);
      const length = lengthOf(used.map(({ rarity }) => rarity));
      for (const feature of used) sum.set(feature, (sum.get(feature) ?? 0) + feature.rarity / length);
    }
    const length = lengthOf([...sum.values()]);
    for (const [{ topics, weights }, weight] of sum) {
      topics.push(topic);
      weights.push(weight / length);
    }
    await setImmediate();
  }
  return {
    topics: known.map(({ words, industryWords }) => ({ words, industryWords })),
    features,
    unknown: rarityOf(1),
  };
}

/** Is added to every rarity, so that a feature of all topics weighs 0.1, not 0. */
const MIN_RARITY = 0.1;
/** The share of its squared weight by which a feature that no known sentence holds lengthens the vector of the query. */
const UNKNOWN_SHARE = 0.5;

const lengthOf = (vector: readonly number[]) => Math.sqrt(vector.reduce((sum, value) => sum + value ** 2, 0));

/** Returns the closeness of a query to each topic. */
function closenessOf(query: string, topics: number, { features, unknown }: Omit<Model, 'topics'>): Float64Array {
  const closeness = new Float64Array(topics);
  let squares = 0;
  for (const name of featuresOf(query)) {
    const feature = features.get(name);
    squares += feature ? feature.rarity ** 2 : UNKNOWN_SHARE * unknown ** 2;
    feature?.topics.forEach((topic, at) => {
      closeness[topic] = (closeness[topic] ?? 0) + (feature.weights[at] ?? 0) * feature.rarity;
    });
  }
  return closeness.map((sum) => sum / Math.sqrt(squares || 1));
}

/** Returns the characters of a text and the pairs of neighbours, folded. */
function featuresOf(text: string): Set<string> {
  const features = new Set<string>();
  let before = '';
  for (const { char, kind } of fold(text)) {
    if (kind === 'gap') {
      before = '';
      continue;
    }
    if (!COMMON.has(char)) features.add(char);
    if (before) features.add(before + char);
    before = char;
  }
  return features;
}

/** Characters that stand in any sentence. */
const COMMON: ReadonlySet<string> = new Set('的了');
