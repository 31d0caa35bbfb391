/** Names in the order a person expects: letters without regard to case, numbers by their value. */
export const byWords = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare;
