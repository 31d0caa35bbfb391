import type { english } from './english.ts';

type English = typeof english;

/** A catalog part in another language: one message per English key. */
export type Words<Part extends keyof English> = { readonly [Key in keyof English[Part]]: string };
export type Catalog = { readonly [Part in keyof English]: Words<Part> };
