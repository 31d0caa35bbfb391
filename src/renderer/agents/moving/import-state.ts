import { create } from 'zustand';

export const useImporting = create<{ readonly importing: boolean }>(() => ({ importing: false }));

export const askImport = (importing: boolean): void => useImporting.setState({ importing });
