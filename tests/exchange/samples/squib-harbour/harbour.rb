require 'squib'
deck = Squib.csv file: %w(x).first && 'ports.csv'
ports = csv file: 'ports.csv'

Squib::Deck.new cards: 2, width: '55mm', height: '85mm', layout: %w(base.yml harbour.yml) do
  background color: :white
  rect layout: :band
  circle layout: 'seal'
  %w(Port Toll Goods).each do |key|
    text str: ports[key], layout: key
  end
  png file: 'ship.png', layout: :ship
  text str: 'Harbour toll', x: 0, y: '72mm', width: :deck, align: :center, font: 'Sans 9'
  text str: 'first', x: '45mm', y: '80mm', range: 0, font: 'Serif 6'
  text str: 'upside', x: '52mm', y: '70mm', width: '20mm', angle: 3.14159, font: 'Sans 7'
  ellipse x: '5mm', y: '76mm', width: '8mm', height: '4mm', fill_color: '#2a9d8f', stroke_width: 0
  save_sheet prefix: 'x'
end
