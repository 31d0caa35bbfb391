/** Collects texts and references of a step. */
import type { Ref, Template, TemplatePart, ValueTemplate } from './definition.ts';

export interface TextUse {
  readonly field: string;
  readonly template: Template;
  /** Reader of the text: shells and pipelines have quotes and dollar signs of their own. */
  readonly reader: 'shell' | 'pipeline' | 'text';
  /** Read after the step's own work, so it may refer to the step itself. */
  readonly after: boolean;
}

export interface RefUse {
  readonly field: string;
  readonly ref: Ref;
  readonly after: boolean;
}

export interface Uses {
  readonly texts: readonly TextUse[];
  readonly refs: readonly RefUse[];
  readonly args: readonly string[];
}

type Place = Exclude<TemplatePart, { kind: 'text' }>;

const placesOf = (template: Template): readonly Place[] => template.filter((part) => part.kind !== 'text');

export class TextCollector {
  readonly texts: TextUse[] = [];
  readonly refs: RefUse[] = [];
  readonly args: string[] = [];

  text(field: string, template: Template | null, reader: TextUse['reader'] = 'text', after = false): void {
    if (!template) return;
    this.texts.push({ field, template, reader, after });
    for (const part of placesOf(template)) {
      if (part.kind === 'arg') this.args.push(part.name);
      else this.refs.push({ field, ref: part.ref, after });
    }
  }

  ref(field: string, ref: Ref, after = false): void {
    this.refs.push({ field, ref, after });
  }

  value(field: string, value: ValueTemplate | null, after = false): void {
    if (value?.kind === 'ref') this.ref(field, value.ref, after);
    else if (value?.kind === 'arg') this.args.push(value.name);
    else if (value?.kind === 'template') this.text(field, value.template, 'text', after);
    else if (value?.kind === 'list') for (const item of value.items) this.value(field, item, after);
    else if (value?.kind === 'object')
      for (const item of Object.values(value.fields)) this.value(field, item, after);
    else if (value && typeof value.value === 'string')
      this.text(field, [{ kind: 'text', text: value.value }], 'text', after);
  }
}
