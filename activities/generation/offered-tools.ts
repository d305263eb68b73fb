import type { ToolSpec } from '../providers/provider';

export function findToolSpecs(names: readonly string[]): ToolSpec[] {
  if (names.length > 0) throw new Error('no literature tools yet');
  return [];
}
