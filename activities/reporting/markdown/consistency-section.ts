import { countText } from '../../../core/report/figure-text';
import type { Consistency } from '../../../core/report/themes';
import { inline, table } from './markdown-text';

const ENTITIES_SHOWN = 40;
const ENTITY_CHARACTERS = 120;

/** Themes and entities that more than one hypothesis shares. */
export function consistencyLines({ hypotheses, models, themes, entities }: Consistency): string[] {
  const right = 'right' as const;
  const over = `Over ${countText(hypotheses, 'kept hypothesis', 'kept hypotheses')} of ${countText(models, 'model')}.`;
  const lines = [over];
  if (themes) {
    lines.push(
      table(
        [
          { name: `theme (${inline(themes.set)} ${themes.version})` },
          { name: 'hypotheses', align: right },
          { name: 'models', align: right },
        ],
        themes.counts
          .filter(({ hypotheses: count }) => count > 0)
          .map(({ theme, hypotheses: count, models: by }) => [inline(theme), String(count), String(by)]),
      ),
    );
  }
  if (entities.length === 0) return [...lines, 'No entity is named by more than one hypothesis.'];
  lines.push(
    table(
      [
        { name: 'entity named more than once' },
        { name: 'hypotheses', align: right },
        { name: 'models', align: right },
      ],
      entities
        .slice(0, ENTITIES_SHOWN)
        .map(({ entity, hypotheses: count, models: by }) => [
          inline(entity, ENTITY_CHARACTERS),
          String(count),
          String(by),
        ]),
    ),
  );
  const more = entities.length - ENTITIES_SHOWN;
  return more > 0 ? [...lines, `And ${countText(more, 'entity', 'entities')} more.`] : lines;
}
