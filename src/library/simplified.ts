import { Converter } from 'opencc-js/t2cn';

const convert = Converter({ from: 't', to: 'cn' });
/** Returns a text in simplified characters, one for each: conversion by phrase would turn one character into two different characters. */
export const simplified = (text: string): string => Array.from(text, (character) => convert(character)).join('');
