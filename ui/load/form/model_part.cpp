// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/form/model_part.h"

#include "ui/format/format.h"
#include "ui/load/form/form_fields.h"
#include "ui/load/form/load_texts.h"
#include "ui/load/load_words.h"
#include "ui/widgets/segments.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>

#include <cmath>
#include <limits>

namespace sg::ui {

using namespace formfields;

namespace {

/// A page of fields in two columns, as the form has them.
std::pair<QWidget*, QGridLayout*> makePage()
{
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(7);
    grid->setColumnStretch(0, 53);
    grid->setColumnStretch(1, 47);
    return {page, grid};
}

Stages shapeOf(int shape)
{
    switch (shape) {
    case 1:
        return {{0, 1}, {120, 40}, {180, 40}};
    case 2:
        return {{0, 10}, {60, 10}, {60, 80}, {70, 80}, {70, 10}, {130, 10}};
    case 3:
        return {{0, 10}, {60, 10}, {60, 20}, {120, 20}, {120, 40}, {180, 40}};
    default:
        return {{0, 10}, {60, 10}};
    }
}

} // namespace

ModelPart::ModelPart(ThemeContext& context, QWidget* parent)
    : FormPart(parent)
    , model_(new Segments({tr("Users"), tr("Rate"), tr("Sweep"), tr("Replay")}, tr("Load model")))
    , words_(note())
{
    askScheduleFile = [](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Recorded arrivals"), {},
                                            tr("JSON lines, CSV (*.jsonl *.csv);;All files (*)"));
    };
    model_->setFixedHeight(26);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(7);
    auto* head = new QVBoxLayout;
    head->setSpacing(2);
    head->addWidget(caption(tr("Load model")));
    head->addWidget(model_);
    column->addLayout(head);
    column->addWidget(words_);
    users_ = makeUsers();
    rate_ = makeRate(context);
    sweep_ = makeSweep();
    replay_ = makeReplay();
    open_ = makeOpen();
    for (QWidget* page : {users_, rate_, sweep_, replay_, open_})
        column->addWidget(page);
    connect(model_, &Segments::selected, this, &ModelPart::onEdited);
    showWords();
}

QWidget* ModelPart::makeUsers()
{
    auto [page, grid] = makePage();
    concurrency_ = number(10, tr("Concurrency"));
    ramp_ = number(0, tr("Ramp of the users in seconds"), QStringLiteral("\u202Fs"));
    think_ = line(QStringLiteral("0ms"), tr("Think time"), QStringLiteral("200ms-800ms"));
    think_->setToolTip(tr("Between an answer and the user's next request: 500ms, 200ms-800ms, lognormal 500ms 0.6"));
    amount_ = new Segments({tr("Requests"), tr("Duration")}, tr("Ends after"));
    amount_->setFixedHeight(26);
    requests_ = number(200, tr("Requests"));
    seconds_ = number(60, tr("Duration in seconds"), QStringLiteral("\u202Fs"));
    amountLabel_ = caption({}, requests_);
    auto* fields = new QWidget;
    auto* row = new QHBoxLayout(fields);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(requests_);
    row->addWidget(seconds_);
    put(grid, 0, 0, caption(tr("Users"), concurrency_), concurrency_);
    put(grid, 0, 1, caption(tr("Ramp"), ramp_), ramp_);
    put(grid, 1, 0, caption(tr("Think time"), think_), think_, 2);
    put(grid, 2, 0, caption(tr("Ends after")), amount_);
    put(grid, 2, 1, amountLabel_, fields);
    for (QSpinBox* field : {concurrency_, ramp_, requests_, seconds_})
        connect(field, &QSpinBox::valueChanged, this, &ModelPart::onEdited);
    connect(think_, &QLineEdit::textChanged, this, &ModelPart::onEdited);
    connect(amount_, &Segments::selected, this, &ModelPart::onEdited);
    return page;
}

QWidget* ModelPart::makeRate(ThemeContext& context)
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    auto* shapes = new QHBoxLayout;
    shapes->setSpacing(4);
    const QString names[] = {tr("Constant"), tr("Ramp"), tr("Spike"), tr("Steps")};
    for (int shape = Constant; shape <= Steps; ++shape) {
        auto* button = new QPushButton(names[shape]);
        button->setProperty("role", QStringLiteral("small"));
        button->setAccessibleName(tr("Shape of the load: %1").arg(names[shape]));
        button->setToolTip(tr("Begin from this shape; undo brings back what was there"));
        button->setAutoDefault(false);
        shapes->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, shape] { takeShape(static_cast<Shape>(shape)); });
    }
    column->addLayout(shapes);
    stages_ = new StagesEditor(context, loadtexts::stagesLanguage());
    column->addWidget(stages_);
    connect(stages_, &StagesEditor::changed, this, &ModelPart::onEdited);
    return page;
}

QWidget* ModelPart::makeSweep()
{
    auto [page, grid] = makePage();
    steps_ = line(loadtexts::textOf(load::SweepModel{}), tr("Rates of the sweep"),
                  QStringLiteral("1/s to 200/s each 10s by 1.5"));
    put(grid, 0, 0, caption(tr("From, to, each step, factor"), steps_), steps_, 2);
    connect(steps_, &QLineEdit::textChanged, this, &ModelPart::onEdited);
    return page;
}

QWidget* ModelPart::makeReplay()
{
    auto [page, grid] = makePage();
    chooseSchedule_ = new QPushButton(tr("Choose schedule…"));
    chooseSchedule_->setFixedHeight(26);
    chooseSchedule_->setAutoDefault(false);
    speed_ = line(QStringLiteral("1"), tr("Speed of the replay"));
    scheduleNote_ = note();
    put(grid, 0, 0, caption(tr("Recorded arrivals"), chooseSchedule_), chooseSchedule_);
    put(grid, 0, 1, caption(tr("Speed, × real time"), speed_), speed_);
    grid->addWidget(scheduleNote_, 1, 0, 1, 2);
    connect(speed_, &QLineEdit::textChanged, this, &ModelPart::onEdited);
    connect(chooseSchedule_, &QPushButton::clicked, this, [this] {
        if (const QString path = askScheduleFile(window()); !path.isEmpty())
            useScheduleFile(path);
    });
    return page;
}

QWidget* ModelPart::makeOpen()
{
    auto [page, grid] = makePage();
    arrivals_ = new Segments({tr("Poisson"), tr("Even")}, tr("Arrivals"));
    arrivals_->setFixedHeight(26);
    arrivals_->setToolTip(tr("Poisson: as many independent users come. Even: the same gap between all requests."));
    inFlight_ = number(load::kMostInFlight, tr("Most in flight"));
    inFlight_->setToolTip(tr("Arrivals beyond it are dropped, counted, and make the run INVALID"));
    put(grid, 0, 0, caption(tr("Arrivals")), arrivals_);
    put(grid, 0, 1, caption(tr("Most in flight"), inFlight_), inFlight_);
    connect(arrivals_, &Segments::selected, this, &ModelPart::onEdited);
    connect(inFlight_, &QSpinBox::valueChanged, this, &ModelPart::onEdited);
    return page;
}

ModelPart::Model ModelPart::model() const
{
    return static_cast<Model>(model_->current());
}

void ModelPart::takeShape(Shape shape)
{
    stages_->plot()->replaceStages(shapeOf(shape), tr("choose a shape"));
}

void ModelPart::useScheduleFile(const QString& path)
{
    schedulePath_ = path;
    scheduleProblem_ = PromptReading::words(path);
    offsets_.reset();
    reading_.read(path, [this](PromptReading::Read file) { takeFile(std::move(file)); });
    model_->setCurrent(Replay);
    onEdited();
}

void ModelPart::takeFile(PromptReading::Read file)
{
    scheduleProblem_.clear();
    if (!file)
        scheduleProblem_ = file.error();
    else if (file->offsets.empty())
        scheduleProblem_ =
            tr("%1 has no times: a schedule needs \"at_ms\" in each row.").arg(QFileInfo(schedulePath_).fileName());
    else
        offsets_ = std::make_shared<const std::vector<Nanos>>(std::move(file->offsets));
    onEdited();
}

load::Arrivals ModelPart::arrivalsNow() const
{
    return arrivals_->current() == 0 ? load::Arrivals::Poisson : load::Arrivals::Constant;
}

load::LoadModel ModelPart::modelNow() const
{
    switch (model()) {
    case Rate:
        return load::OpenModel{loadtexts::stagesOf(stages_->stages()), arrivalsNow(), inFlight_->value()};
    case Sweep: {
        load::SweepModel sweep = load::parseSweep(steps_->text().toStdString()).value_or(load::SweepModel{});
        sweep.arrivals = arrivalsNow();
        sweep.mostInFlight = inFlight_->value();
        return sweep;
    }
    case Replay:
        return load::ReplayModel{offsets_ ? offsets_ : std::make_shared<const std::vector<Nanos>>(),
                                 format::numberIn(speed_->text()).value_or(1), inFlight_->value()};
    case Users:
        break;
    }
    load::ClosedModel closed{concurrency_->value(), std::chrono::seconds(ramp_->value())};
    closed.think =
        load::parseDistribution(think_->text().toStdString(), true).value_or(stats::Distribution::constant(0));
    return closed;
}

void ModelPart::write(load::LoadPlan& plan) const
{
    plan.model = modelNow();
    if (model() != Users)
        return; // a schedule ends by itself
    if (amount_->current() == 0)
        plan.stop.requests = requests_->value();
    else
        plan.stop.duration = std::chrono::seconds(seconds_->value());
}

void ModelPart::show(const load::LoadPlan& plan)
{
    const auto showOpen = [this](load::Arrivals arrivals, int mostInFlight) {
        arrivals_->setCurrent(arrivals == load::Arrivals::Poisson ? 0 : 1);
        inFlight_->setValue(mostInFlight);
    };
    if (const auto* closed = std::get_if<load::ClosedModel>(&plan.model)) {
        model_->setCurrent(Users);
        concurrency_->setValue(closed->users);
        ramp_->setValue(static_cast<int>(std::ceil(toMs(closed->ramp) / 1000)));
        think_->setText(loadtexts::textOf(closed->think, true));
        amount_->setCurrent(plan.stop.requests ? 0 : 1);
        constexpr std::int64_t kMost = std::numeric_limits<int>::max();
        requests_->setValue(static_cast<int>(std::min(kMost, plan.stop.requests.value_or(requests_->value()))));
        if (plan.stop.duration)
            seconds_->setValue(static_cast<int>(std::ceil(toMs(*plan.stop.duration) / 1000)));
    } else if (const auto* open = std::get_if<load::OpenModel>(&plan.model)) {
        model_->setCurrent(Rate);
        stages_->setStages(loadtexts::pointsOf(open->stages));
        showOpen(open->arrivals, open->mostInFlight);
    } else if (const auto* sweep = std::get_if<load::SweepModel>(&plan.model)) {
        model_->setCurrent(Sweep);
        steps_->setText(loadtexts::textOf(*sweep));
        showOpen(sweep->arrivals, sweep->mostInFlight);
    } else if (const auto* replay = std::get_if<load::ReplayModel>(&plan.model)) {
        model_->setCurrent(Replay);
        reading_.cancel();
        offsets_ = replay->offsets;
        scheduleProblem_.clear();
        speed_->setText(QString::number(replay->speed));
        inFlight_->setValue(replay->mostInFlight);
    }
    showWords();
}

FormPart::Problem ModelPart::problem() const
{
    const auto of = [](QWidget* field, const auto& parsed) {
        return parsed ? Problem{} : Problem{field, loadtexts::problemOf(parsed.error())};
    };
    switch (model()) {
    case Users:
        return of(think_, load::parseDistribution(think_->text().toStdString(), true));
    case Rate:
        return stages_->problem().isEmpty() ? Problem{} : Problem{stages_->text(), stages_->problem()};
    case Sweep:
        return of(steps_, load::parseSweep(steps_->text().toStdString()));
    case Replay:
        break;
    }
    if (!scheduleProblem_.isEmpty())
        return {chooseSchedule_, scheduleProblem_};
    if (!offsets_)
        return {chooseSchedule_, tr("Choose a file with the times of the requests (at_ms in each row).")};
    if (const auto speed = format::numberIn(speed_->text()); !speed || *speed <= 0)
        return {speed_, tr("Speed: a number above 0; 2 plays it in half of the time.")};
    return {};
}

std::vector<FormPart::Mend> ModelPart::mends() const
{
    const auto inFlight = [](load::LoadPlan& plan) {
        std::visit(
            [](auto& model) {
                if constexpr (requires { model.mostInFlight; })
                    model.mostInFlight = load::kMostInFlight;
            },
            plan.model);
    };
    const auto users = [](load::LoadPlan& plan) {
        if (auto* closed = std::get_if<load::ClosedModel>(&plan.model))
            closed->users = load::ClosedModel{}.users;
    };
    const auto ramp = [](load::LoadPlan& plan) {
        if (auto* closed = std::get_if<load::ClosedModel>(&plan.model))
            closed->ramp = Nanos(0);
    };
    const auto amount = [](load::LoadPlan& plan) {
        if (plan.stop.requests)
            plan.stop.requests = 1;
        if (plan.stop.duration)
            plan.stop.duration = std::chrono::seconds(1);
    };
    const auto stages = [](load::LoadPlan& plan) {
        if (auto* open = std::get_if<load::OpenModel>(&plan.model))
            open->stages = {{std::chrono::hours(24), 1, 1}};
    };
    const auto sweep = [](load::LoadPlan& plan) {
        if (auto* steps = std::get_if<load::SweepModel>(&plan.model))
            *steps = {.mostInFlight = steps->mostInFlight};
    };
    return {{amount_->current() == 0 ? requests_ : seconds_, amount},
            {concurrency_, users},
            {ramp_, ramp},
            {stages_->text(), stages},
            {steps_, sweep},
            {inFlight_, inFlight}};
}

void ModelPart::onEdited()
{
    showWords();
    Q_EMIT changed();
}

void ModelPart::showWords()
{
    const Model now = model();
    users_->setVisible(now == Users);
    rate_->setVisible(now == Rate);
    sweep_->setVisible(now == Sweep);
    replay_->setVisible(now == Replay);
    open_->setVisible(now != Users);
    const bool byCount = amount_->current() == 0;
    requests_->setVisible(byCount);
    seconds_->setVisible(!byCount);
    amountLabel_->setBuddy(byCount ? requests_ : seconds_);
    amountLabel_->setText(byCount ? tr("Requests") : tr("Duration, %1 min").arg(loadwords::span(seconds_->value())));
    const QString words[] = {
        loadwords::closedLoad(concurrency_->value()),
        tr("Open: requests keep arriving at this rate even when answers are slow, as real users do."),
        tr("Higher and higher rates, until the target does not follow: shows where its knee is."),
        tr("Open: requests arrive as they were recorded.")};
    words_->setText(words[now]);
    arrivals_->setEnabled(now != Replay);
    const QString name = QFileInfo(schedulePath_).fileName();
    scheduleNote_->setText(!offsets_        ? QString()
                           : name.isEmpty() ? tr("%1 arrivals").arg(format::count(std::ssize(*offsets_)))
                                            : tr("%1, %2 arrivals").arg(name, format::count(std::ssize(*offsets_))));
    scheduleNote_->setVisible(!scheduleNote_->text().isEmpty());
}

void ModelPart::setLocked(bool locked)
{
    stages_->setReadOnly(locked);
}

void ModelPart::setNow(std::optional<double> second)
{
    stages_->plot()->setNow(second);
}

} // namespace sg::ui
