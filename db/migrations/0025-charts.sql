-- Charts taken out of decks ----------------------------------------------------------------------

-- Mirrors src/charts/chart-types.ts: an id is for good, it stands in links.
create table chart_types (
  id integer primary key,
  code text not null unique,
  name text not null unique,
  position integer not null
);
insert into chart_types (id, code, name, position) values
  (1, 'column', '柱状图', 1), (2, 'bar', '条形图', 2), (3, 'line', '折线图', 3), (4, 'pie', '饼图', 4),
  (5, 'doughnut', '环形图', 5), (6, 'area', '面积图', 6), (7, 'radar', '雷达图', 7), (8, 'scatter', '散点图', 8),
  (9, 'bubble', '气泡图', 9), (10, 'combo', '组合图', 10), (11, 'waterfall', '瀑布图', 11), (12, 'funnel', '漏斗图', 12),
  (13, 'treemap', '树状图', 13), (14, 'sunburst', '旭日图', 14), (15, 'stock', '股价图', 15), (16, 'surface', '曲面图', 16),
  (17, 'histogram', '直方图', 17), (18, 'box', '箱形图', 18), (19, 'map', '地图', 19), (20, 'other', '其他图表', 20);

-- A chart belongs to the content, like a page. Industry, themes and time are those of the documents that show it.
create table charts (
  id bigint generated always as identity primary key,
  file_id bigint not null references files on delete cascade,
  -- In order of pages, then of the slide: the picture is media/<media key>/c<number>.webp.
  number integer not null check (number > 0),
  page_number integer not null check (page_number > 0),
  type_id integer not null references chart_types,
  name text not null check (char_length(name) between 1 and 120),
  title text not null default '',
  data jsonb not null,
  frame jsonb,
  -- Pixels of the display image; 0 when there is none.
  width integer not null default 0,
  height integer not null default 0,
  created_at timestamptz not null default now(),
  unique (file_id, number)
);
create index charts_by_type on charts (type_id, id desc);
