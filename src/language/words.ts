import type { english } from './english.ts';
import type { laterEnglish } from './english-later.ts';

type English = typeof english & typeof laterEnglish;

/** A catalog part in another language: one message per English key. */
export type Words<Part extends keyof English> = { readonly [Key in keyof English[Part]]: string };
export type Catalog = { readonly [Part in keyof English]: Words<Part> };
