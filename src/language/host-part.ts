import type { hostEnglish } from './english/host.ts';

type HostEnglish = typeof hostEnglish;

/** One area of the host's texts in another language: a text per English key. */
export type HostPart<Area extends keyof HostEnglish> = { readonly [Key in keyof HostEnglish[Area]]: string };
export type HostCatalog = { readonly [Area in keyof HostEnglish]: HostPart<Area> };
