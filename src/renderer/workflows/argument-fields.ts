/** Converts the arguments of a workflow into form fields. */
import type { WorkflowFile } from '../../contract/workflow-methods.ts';
import { fieldsOf, type SchemaField } from '../forms/schema-fields.ts';

const parsed = (json: string): unknown => (json === '' ? undefined : JSON.parse(json));

export function argumentFields(args: WorkflowFile['args']): readonly SchemaField[] {
  return args.flatMap((arg) => {
    const { name, type, description, required, values, defaultJson } = arg;
    const one = {
      description,
      ...(type === 'array' && values.length === 0 ? { type, items: listItems(defaultJson) } : { type }),
      ...(values.length === 0 ? {} : { enum: values.map(parsed) }),
    };
    return fieldsOf(one, parsed(defaultJson)).map((field) => ({
      ...field,
      path: [name, ...field.path],
      label: field.label === '' ? name : field.label,
      required,
    }));
  });
}

/** A list of strings is edited as lines, any other list as JSON. */
function listItems(defaultJson: string): Readonly<Record<string, unknown>> {
  const value = parsed(defaultJson);
  const texts = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  return texts ? { type: 'string' } : {};
}
