import { describe, expect, it } from 'vitest';
import { cutOf } from './cut-frame.ts';
import { chartFrames } from './slide-frames.ts';
import { xmlTree } from '../formats/xml-tree.ts';

const SLIDE = { width: 1000, height: 500 };
const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const CHART_EX = 'http://schemas.microsoft.com/office/drawing/2014/chartex';

const frame = (id: string, at: string, uri = CHART, turn = '') =>
  `<p:graphicFrame><p:xfrm${turn}>${at}</p:xfrm><a:graphic><a:graphicData uri="${uri}"><c:chart xmlns:q="x" q:id="${id}"/></a:graphicData></a:graphic></p:graphicFrame>`;
const at = (x: number, y: number, cx: number, cy: number) => `<a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/>`;
const group = (own: string, inner: string, children: string, turn = '') =>
  `<p:grpSp><p:grpSpPr><a:xfrm${turn}>${own}${inner.replace('a:off', 'a:chOff').replace('a:ext', 'a:chExt')}</a:xfrm></p:grpSpPr>${children}</p:grpSp>`;

function framesOf(shapes: string) {
  const tree = xmlTree(`<?xml version="1.0"?><p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`);
  if (!tree) throw new Error('no tree');
  return chartFrames(tree, SLIDE);
}

const idsOf = (shapes: string) => framesOf(shapes).flatMap((one) => (one.kind === 'part' ? [one.relationshipId] : []));

it('finds the position of a chart', () => {
  expect(framesOf(frame('rId2', at(100, 50, 500, 250)))).toEqual([
    { kind: 'part', relationshipId: 'rId2', frame: { x: 0.1, y: 0.1, width: 0.5, height: 0.5 } },
  ]);
});

it('composes groups in groups', () => {
  // The inner space of 0…100 is drawn on 200…400 of the outer one, whose 0…1000 is drawn on the slide's 500…1000.
  const inner = group(at(200, 200, 200, 200), at(0, 0, 100, 100), frame('rId3', at(50, 50, 50, 50)));
  const outer = group(at(500, 0, 500, 500), at(0, 0, 1000, 1000), inner);
  expect(framesOf(outer)[0]?.frame).toEqual({ x: 0.65, y: 0.3, width: 0.05, height: 0.1 });
});

it('takes the choice, not its fallback', () => {
  const alternate = `<mc:AlternateContent><mc:Choice Requires="cx1">${frame('rId4', at(0, 0, 10, 10), CHART_EX)}</mc:Choice><mc:Fallback>${frame('rId9', at(0, 0, 10, 10))}</mc:Fallback></mc:AlternateContent>`;
  expect(idsOf(alternate)).toEqual(['rId4']);
});

it('leaves out hidden shapes and shapes of a hidden group', () => {
  const named = (hidden: string, shape: string, tag: string) =>
    shape.replace(/<p:(xfrm|grpSpPr)/, `<p:${tag}><p:cNvPr id="4" name="x"${hidden}/></p:${tag}><p:$1`);
  const one = (id: string, hidden: string) => named(hidden, frame(id, at(0, 0, 9, 9)), 'nvGraphicFramePr');
  const inGroup = (id: string, hidden: string) =>
    named(hidden, group(at(0, 0, 9, 9), at(0, 0, 9, 9), one(id, '')), 'nvGrpSpPr');
  const shapes = [
    one('rId1', ' hidden="1"'),
    one('rId2', ' hidden="true"'),
    one('rId3', ' hidden="0"'),
    inGroup('rId4', ' hidden="1"'),
    inGroup('rId5', ''),
  ];
  expect(idsOf(shapes.join(''))).toEqual(['rId3', 'rId5']);
});

const OLE = 'http://schemas.openxmlformats.org/presentationml/2006/ole';
const oleObj = (program: string, more = '', inner = '<p:embed/>') =>
  `<p:oleObj xmlns:r="x" name="Chart" r:id="rId7" progId="${program}"${more}>${inner}</p:oleObj>`;
const objectFrame = (inner: string, uri = OLE) =>
  `<p:graphicFrame><p:xfrm>${at(100, 50, 500, 250)}</p:xfrm><a:graphic><a:graphicData uri="${uri}">${inner}</a:graphicData></a:graphic></p:graphicFrame>`;

describe('embedded objects', () => {
  const found = [{ kind: 'object', relationshipId: 'rId7', frame: { x: 0.1, y: 0.1, width: 0.5, height: 0.5 } }];
  const inFallback = oleObj('MSGraph.Chart.8', '', `<p:embed/><p:pic>${at(0, 0, 9, 9)}</p:pic>`);
  it.each([
    ['of Graph', oleObj('MSGraph.Chart.8')],
    ['of Excel', oleObj('Excel.Chart.8')],
    ['linked', oleObj('Excel.Chart', '', '<p:link updateAutomatic="1"/>')],
    [
      'in a choice',
      `<mc:AlternateContent><mc:Choice Requires="v">${oleObj('MSGraph.Chart.8')}</mc:Choice><mc:Fallback>${inFallback}</mc:Fallback></mc:AlternateContent>`,
    ],
    ['in a fallback alone', `<mc:AlternateContent><mc:Fallback>${inFallback}</mc:Fallback></mc:AlternateContent>`],
  ])('%s are charts', (_how, inner) => expect(framesOf(objectFrame(inner))).toEqual(found));

  it.each([
    ['a sheet', oleObj('Excel.Sheet.12'), OLE],
    ['Charter', oleObj('MSGraph.Charter'), OLE],
    ['an icon', oleObj('MSGraph.Chart.8', ' showAsIcon="1"'), OLE],
    ['no relationship', oleObj('MSGraph.Chart.8').replace('r:id="rId7"', ''), OLE],
    ['another frame', oleObj('MSGraph.Chart.8'), 'http://schemas.openxmlformats.org/drawingml/2006/table'],
  ])('%s is none', (_what, inner, uri) => expect(framesOf(objectFrame(inner, uri))).toEqual([]));
});

describe('pictures', () => {
  const picture = (place: string, more = '', turn = '') =>
    `<p:pic><p:nvPicPr><p:cNvPr id="3" name="图片 3" descr="图表, 条形图&#10;&#10;描述已自动生成"${more}/></p:nvPicPr><p:spPr><a:xfrm${turn}>${place}</a:xfrm></p:spPr></p:pic>`;
  const chart = { type: 'bar', title: '' };
  it('of which a program says so are charts, in groups too', () => {
    const frame = { x: 0.1, y: 0.1, width: 0.5, height: 0.5 };
    expect(framesOf(picture(at(100, 50, 500, 250)))).toEqual([{ kind: 'picture', chart, frame }]);
    const grouped = group(at(0, 0, 1000, 500), at(0, 0, 100, 50), picture(at(10, 5, 50, 25), ' title="销量"'));
    expect(framesOf(grouped)).toEqual([{ kind: 'picture', chart: { type: 'bar', title: '销量' }, frame }]);
  });

  it.each([
    ['less than a tenth of the slide', picture(at(0, 0, 310, 160)), 0],
    ['a tenth of it', picture(at(0, 0, 320, 160)), 1],
    ['mostly beside it', picture(at(900, 0, 600, 400)), 0],
    ['hidden', picture(at(0, 0, 900, 400), ' hidden="1"'), 0],
    ['turned', picture(at(0, 0, 900, 400), '', ' rot="60000"'), 0],
    ['without a place', picture(''), 0],
    ['of something else', picture(at(0, 0, 900, 400)).replace('图表', '图示'), 0],
  ])('%s', (_what, shapes, count) => expect(framesOf(shapes)).toHaveLength(count));
});

it.each([
  ['a table', frame('rId1', at(0, 0, 9, 9), 'http://schemas.openxmlformats.org/drawingml/2006/table'), []],
  ['no size', frame('rId1', at(0, 0, 0, 9)), [null]],
  ['no place', frame('rId1', ''), [null]],
  ['a turned frame', frame('rId1', at(0, 0, 9, 9), CHART, ' rot="5400000"'), [null]],
  ['a mirrored group', group(at(0, 0, 9, 9), at(0, 0, 9, 9), frame('rId1', at(0, 0, 9, 9)), ' flipH="1"'), [null]],
])('cuts nothing of %s', (_what, shapes, frames) => {
  expect(framesOf(shapes).map((one) => one.frame)).toEqual(frames);
});

it.each([
  ['with a margin', { x: 0.25, y: 0.25, width: 0.5, height: 0.5 }, { left: 468, top: 258, width: 984, height: 564 }],
  ['within the page', { x: -0.5, y: 0.5, width: 3, height: 3 }, { left: 0, top: 528, width: 1920, height: 552 }],
  ['nothing beside the page', { x: 1.2, y: 0, width: 0.5, height: 0.5 }, null],
  ['nothing too small', { x: 0.5, y: 0.5, width: 0.001, height: 0.5 }, null],
])('cuts %s', (_what, place, cut) => {
  expect(cutOf(place, { width: 1920, height: 1080 })).toEqual(cut);
});
