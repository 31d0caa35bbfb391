import type { english } from './english.ts';

type English = typeof english;

/** One part of the texts in another language: a message for each English one. */
export type Words<Part extends keyof English> = { readonly [Key in keyof English[Part]]: string };
export type Catalog = { readonly [Part in keyof English]: Words<Part> };
