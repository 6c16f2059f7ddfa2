import { Converter } from 'opencc-js/t2cn';
import { lazily } from '../platform/lazily.ts';

const convert = Converter({ from: 't', to: 'cn' });
/** Returns a text in simplified characters, one for each: conversion by phrase would turn one character into two different characters. */
export const simplified = (text: string): string => Array.from(text, (character) => convert(character)).join('');

/** The ideographs that OpenCC converts are within this range, from the first to the last. */
const IDEOGRAPHS = [0x3400, 0x9fff] as const;

/** Returns the traditional characters of each simplified one: 發 and 髮 of 发. Takes a tenth of a second once. */
const traditionalCharacters = lazily((): ReadonlyMap<string, readonly string[]> => {
  const [first, last] = IDEOGRAPHS;
  const all = Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
  return Map.groupBy(
    all.filter((character) => simplified(character) !== character),
    simplified,
  );
});

/** Returns a regular expression that matches a text in any mixture of simplified and traditional characters, for JavaScript (flag u) and PostgreSQL. */
export function patternOf(text: string): string {
  const traditionalOf = traditionalCharacters();
  return Array.from(simplified(text), (character) => {
    const traditional = traditionalOf.get(character);
    return traditional ? `[${character}${traditional.join('')}]` : character.replace(/[$()*+.?[\\\]^{|}]/u, '\\$&');
  }).join('');
}
