require 'squib'

data = Squib.csv file: 'cards.csv'

Squib::Deck.new(cards: data['Name'].size, layout: 'layout.yml') do
  background color: '#2f4a2f'
  rect layout: 'frame'
  svg file: data['Art'], layout: :art
  text str: data['Name'], layout: :title
  text(str: data['Cost'], layout: :cost)
  rect layout: :rule_box
  text str: data['Rule'], layout: :rule
  text str: data['Flavour'], layout: :flavour
  line x1: 125, y1: 920, x2: 700, y2: 920,
       stroke_color: '#999', stroke_width: 3
  text str: data['Name'].map { |n| n.upcase }, layout: :title
  save_png prefix: 'card_'
end
