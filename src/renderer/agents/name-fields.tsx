import { Field } from '../parts/field.tsx';

interface FieldsOf {
  readonly name: string;
  readonly role: string;
  readonly nameHint?: string;
  readonly autoFocus?: boolean;
  onName(name: string): void;
  onRole(role: string): void;
}

/** What people call it and what it is for. */
export function NameFields({ name, role, nameHint, autoFocus = false, onName, onRole }: FieldsOf) {
  return (
    <>
      <Field
        label="Name"
        autoFocus={autoFocus}
        maxLength={60}
        value={name}
        onChange={(event) => onName(event.target.value)}
        hint={nameHint}
      />
      <Field
        label="Role"
        maxLength={140}
        value={role}
        onChange={(event) => onRole(event.target.value)}
        hint="One line everybody in the space sees, for example: Reviewer: reads drafts and asks what is missing"
      />
    </>
  );
}
