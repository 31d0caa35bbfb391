import { amounts } from './german/amounts.ts';
import { look } from './german/look.ts';
import { time } from './german/time.ts';
import type { Catalog } from './words.ts';

export const german: Catalog = { amounts, look, time };
